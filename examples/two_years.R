# Sulphur dioxide in two years, province by province, as a data frame and a chart, from a running
# Outfall.
#
#   OUTFALL_KEY=prk_… Rscript examples/two_years.R 2012 2022
#
# Needs R with jsonlite (Debian: r-base-core, r-cran-jsonlite) and curl: R's own download hides what
# the service says of a request that it refuses. OUTFALL_URL is where the service listens,
# OUTFALL_HOST the host name of its base URL.

library(jsonlite)

setting <- function(name, default) {
  value <- Sys.getenv(name)
  if (nzchar(value)) value else default
}

# The answer to a request, as lists.
ask <- function(path, parameters) {
  values <- vapply(parameters, URLencode, "", reserved = TRUE)
  url <- paste0(
    setting("OUTFALL_URL", "http://127.0.0.1:8080"), path, "?",
    paste(names(parameters), values, sep = "=", collapse = "&")
  )
  file <- tempfile()
  headers <- c(
    paste("x-gateway-host:", setting("OUTFALL_HOST", "localhost")),
    paste("x-gateway-key:", setting("OUTFALL_KEY", "none-needed-here"))
  )
  arguments <- c("--silent", "--show-error", "--fail-with-body", "--output", file)
  status <- system2("curl", shQuote(c(arguments, rbind("--header", headers), url)))
  if (status != 0 && !file.exists(file)) stop("no answer from ", url, call. = FALSE)
  answer <- fromJSON(file, simplifyVector = FALSE)
  if (status != 0) {
    reasons <- vapply(answer$errors, function(entry) entry$detail, "")
    stop(answer$title, ". ", paste(c(reasons, answer$detail)[1], collapse = " "), call. = FALSE)
  }
  answer
}

years <- commandArgs(trailingOnly = TRUE)
if (length(years) == 0) years <- c("2012", "2022")
if (length(years) != 2) stop("give two years, such as 2012 2022", call. = FALSE)

# One request: the service adds up, exactly, inside each year and province. R keeps 15 digits.
answer <- ask("/release", list(
  substance = "SO2", year = years[1], year = years[2], limit = "0", facets = "year*province"
))
rows <- lapply(answer$facets[["year*province"]], function(year) {
  do.call(rbind, lapply(year$province, function(province) {
    data.frame(
      year = year$value,
      province = if (is.null(province$label_en)) "offshore" else province$label_en,
      tonnes = if (is.null(province$sum$kg)) NA_real_ else province$sum$kg / 1000
    )
  }))
})
sums <- do.call(rbind, rows)
table <- reshape(sums, idvar = "province", timevar = "year", direction = "wide")
names(table) <- sub("tonnes.", "", names(table), fixed = TRUE)
for (year in setdiff(years, names(table))) table[[year]] <- NA_real_
table <- table[order(table$province), c("province", years)]
# A province that is missing from a year has no release on record: the change is not known, not 0.
table$change <- table[[years[2]]] - table[[years[1]]]
print(table, row.names = FALSE, digits = 15)

if (interactive()) {
  sums <- t(as.matrix(table[years]))
  barplot(sums, beside = TRUE, names.arg = table$province, las = 2, ylab = "t")
}
