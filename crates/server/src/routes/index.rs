//! `GET /`: the list of operations.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use serde::Serialize;

use super::meta::{SERVICE, ServiceInfo};

#[derive(Serialize)]
struct Index {
    service: ServiceInfo,
    documentation: &'static str,
    operations: [Operation; 7],
}

#[derive(Serialize)]
struct Operation {
    path: &'static str,
    summary: &'static str,
    needs_key: bool,
}

const fn operation(path: &'static str, summary: &'static str, needs_key: bool) -> Operation {
    Operation { path, summary, needs_key }
}

const INDEX: Index = Index {
    service: SERVICE,
    documentation: "/docs",
    operations: [
        operation("/release", "search pollutant releases (NPRI)", true),
        operation("/emission", "search facility greenhouse-gas totals (GHGRP)", true),
        operation("/meta", "what is served: sources, counts, licence, attribution", false),
        operation("/docs", "this service described for people, who can try it there", false),
        operation("/openapi.json", "this service described for programs (OpenAPI 3.1)", false),
        operation("/health/live", "whether the process lives", false),
        operation("/health/ready", "whether there is an index to search", false),
    ],
};

pub(super) async fn index() -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-cache")).json(INDEX)
}
