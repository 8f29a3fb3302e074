# Mercury released by year, in kilograms, as a data frame and a chart, from a running Outfall.
#
#   OUTFALL_KEY=prk_… Rscript examples/mercury_by_year.R
#
# Needs R and curl: R's own download hides what the service says of a request that it refuses.
# OUTFALL_URL is where the service listens, OUTFALL_HOST the host name of its base URL.

setting <- function(name, default) {
  value <- Sys.getenv(name)
  if (nzchar(value)) value else default
}

# A text of a problem, which is JSON: {"title": "…", "detail": "…", …}.
said <- function(problem, field) {
  pattern <- paste0('"', field, '":"((?:[^"\\\\]|\\\\.)*)"')
  match <- regmatches(problem, regexec(pattern, problem, perl = TRUE))[[1]]
  if (length(match) == 2) match[2] else ""
}

# The answer to a request, as a file.
ask <- function(target) {
  file <- tempfile()
  headers <- c(
    paste("x-gateway-host:", setting("OUTFALL_HOST", "localhost")),
    paste("x-gateway-key:", setting("OUTFALL_KEY", "none-needed-here"))
  )
  url <- paste0(setting("OUTFALL_URL", "http://127.0.0.1:8080"), target)
  arguments <- c("--silent", "--show-error", "--fail-with-body", "--output", file)
  status <- system2("curl", shQuote(c(arguments, rbind("--header", headers), url)))
  if (status != 0) {
    problem <- if (file.exists(file)) paste(readLines(file, warn = FALSE), collapse = "") else ""
    stop(said(problem, "title"), ". ", said(problem, "detail"), call. = FALSE)
  }
  file
}

query <- paste0("q=", URLencode("mercury OR mercure", reserved = TRUE), "&value_unit=kg&format=csv")
file <- ask(paste0("/release?", query))
# The file is UTF-8 whatever the locale is, and begins with a byte order mark.
bytes <- readBin(file, "raw", file.size(file))
writeBin(bytes[-(1:3)], file)
releases <- read.csv(file, encoding = "UTF-8", stringsAsFactors = FALSE)

by_year <- aggregate(quantity_kg ~ year, data = releases, FUN = sum)
print(by_year, row.names = FALSE)

if (interactive()) {
  barplot(by_year$quantity_kg, names.arg = by_year$year, ylab = "kg", main = "Mercury released")
}
