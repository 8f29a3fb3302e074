//! `GET /docs`: the service described for people, who can try it out there.
//!
//! The page and its assets are built into the program. The page is rendered from `/openapi.json`,
//! in the same language; the script has its own few texts in both.

use std::sync::LazyLock;

use actix_web::http::header::CONTENT_SECURITY_POLICY;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use outfall_api::Language;

use super::document::{Document, InBothLanguages};

/// The page may run its own script, use its own style and icon, and send requests to this service,
/// nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The page, with `{{name}}` for each of [`TEXTS`].
const PAGE: &str = include_str!("../../assets/docs.html");

/// The texts of the page by their names, in English and in French.
const TEXTS: [(&str, [&str; 2]); 10] = [
    ("lang", ["en", "fr"]),
    ("title", ["Outfall – reference", "Outfall – référence"]),
    ("skip", ["Skip to the reference", "Passer à la référence"]),
    ("access", ["Your access", "Votre accès"]),
    ("key", ["Key", "Clé"]),
    ("host", ["Gateway host", "Hôte de la passerelle"]),
    ("language", ["Language", "Langue"]),
    (
        "private",
        [
            "They stay in this page and go to this service alone.",
            "Ils restent dans cette page et ne vont qu’à ce service.",
        ],
    ),
    ("contents", ["Contents", "Sommaire"]),
    (
        "noscript",
        [
            "This page is drawn from <a href=\"/openapi.json\">/openapi.json</a> by a script; without \
             one, read that.",
            "Cette page est produite par un script à partir de \
             <a href=\"/openapi.json\">/openapi.json</a>; sans script, lisez ce document.",
        ],
    ),
];

static PAGES: LazyLock<InBothLanguages> = LazyLock::new(|| {
    InBothLanguages([Language::English, Language::French].map(|language| {
        let fill = |page: String, (name, texts): (&str, _)| {
            page.replace(&format!("{{{{{name}}}}}"), language.choose(texts))
        };
        let page = TEXTS.into_iter().fold(PAGE.to_owned(), fill);
        // Made once, and served as long as the program runs.
        Document::new("text/html; charset=utf-8", page.leak())
    }))
});
static STYLE: Document =
    Document::new("text/css; charset=utf-8", include_str!("../../assets/docs.css"));
static SCRIPT: Document =
    Document::new("text/javascript; charset=utf-8", include_str!("../../assets/docs.js"));
static ICON: Document = Document::new("image/svg+xml", include_str!("../../assets/icon.svg"));

pub(super) async fn page(request: HttpRequest) -> HttpResponse {
    PAGES.answer(&request, restrict)
}

pub(super) async fn style(request: HttpRequest) -> HttpResponse {
    asset(&request, &STYLE)
}

pub(super) async fn script(request: HttpRequest) -> HttpResponse {
    asset(&request, &SCRIPT)
}

/// The icon, under the path that browsers request by default.
pub(super) async fn icon(request: HttpRequest) -> HttpResponse {
    asset(&request, &ICON)
}

fn asset(request: &HttpRequest, document: &Document) -> HttpResponse {
    document.answer(request, restrict)
}

fn restrict(response: &mut HttpResponseBuilder) {
    response.insert_header((CONTENT_SECURITY_POLICY, POLICY));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_uses_each_text_and_the_texts_differ() {
        for (name, [english, french]) in TEXTS {
            assert!(PAGE.contains(&format!("{{{{{name}}}}}")), "{name}");
            assert_ne!(english, french, "{name}");
        }
        assert_eq!(PAGE.matches("{{").count(), TEXTS.len());
    }
}
