//! `GET /embed`: one chart of the explorer, for a frame on a site that the operator named.

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CROSS_ORIGIN_RESOURCE_POLICY,
};
use actix_web::{HttpRequest, HttpResponse, web};

use super::{explorer, not_found};
use crate::http::Encoding;
use crate::state::AppState;

/// The page in English and in French, with `{{pass}}` where its pass is, and `{{of_records}}`.
const PAGES: [&str; 2] = [
    include_str!("../../assets/explorer/embed.en.html"),
    include_str!("../../assets/explorer/embed.fr.html"),
];

pub(super) async fn page(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    let origins = &state.settings.embed_origins;
    if origins.is_empty() || !explorer::is_here(&request, &state) {
        return not_found(request).await;
    }
    let language = explorer::language(&request);
    let pass = state.embed_passes.of_page(request.query_string());
    let page = explorer::with_names(language.choose(PAGES)).replace("{{pass}}", &pass);
    let origins: Vec<String> = origins.iter().map(ToString::to_string).collect();
    let mut response = HttpResponse::Ok();
    response
        .content_type("text/html; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_LANGUAGE, language.tag()))
        .insert_header((CONTENT_SECURITY_POLICY, explorer::policy(&origins.join(" "))))
        // The pass is for the page itself: no other site may read it.
        .insert_header((CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"));
    let body = Encoding::encode(request.headers(), page.into_bytes(), &mut response);
    response.body(body)
}
