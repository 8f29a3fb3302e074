//! `GET /` for programs: the list of operations.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use outfall_api::INDEX;

pub(super) fn index() -> HttpResponse {
    HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-cache")).json(INDEX)
}
