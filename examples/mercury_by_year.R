# Mercury released by year, in kilograms, as a data frame and a chart, from a running Outfall.
#
#   OUTFALL_KEY=prk_… Rscript examples/mercury_by_year.R
#
# Needs nothing but R: the answer as a file is CSV, which R reads by itself. OUTFALL_URL is where
# the service listens, OUTFALL_HOST the host name of its base URL.

setting <- function(name, default) {
  value <- Sys.getenv(name)
  if (nzchar(value)) value else default
}

url <- setting("OUTFALL_URL", "http://127.0.0.1:8080")
headers <- c(
  "x-gateway-host" = setting("OUTFALL_HOST", "localhost"),
  "x-gateway-key" = setting("OUTFALL_KEY", "none-needed-here")
)

file <- tempfile(fileext = ".csv")
query <- paste0("q=", URLencode("mercury OR mercure", reserved = TRUE), "&value_unit=kg&format=csv")
download.file(paste0(url, "/release?", query), file, headers = headers, quiet = TRUE)
releases <- read.csv(file, fileEncoding = "UTF-8-BOM", stringsAsFactors = FALSE)

by_year <- aggregate(quantity_kg ~ year, data = releases, FUN = sum)
print(by_year, row.names = FALSE)

if (interactive()) {
  barplot(by_year$quantity_kg, names.arg = by_year$year, ylab = "kg", main = "Mercury released")
}
