//! `GET /docs`: the service described for people, who can try it out there.
//!
//! The page and its assets are built into the program; its style comes from the explorer's, in
//! `explorer/src/style`. A script draws the page from `/openapi.json`, in the same language, and
//! has its own few texts in both languages. Without scripts, the page lists the operations with
//! their examples as links.

use std::fmt::Write;
use std::sync::LazyLock;

use actix_web::http::header::{CONTENT_LANGUAGE, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse, web};
use outfall_api::{Language, openapi_value};
use serde_json::Value;

use super::document::Document;
use super::explorer;
use crate::state::AppState;

/// The page, with `{{name}}` for each of [`TEXTS`], `{{operations}}`, `{{of_records}}`, and
/// `{{explorer}}` where it says whether there is one.
const PAGE: &str = include_str!("../../assets/docs.html");

/// The texts of the page by their names, in English and in French.
const TEXTS: [(&str, [&str; 2]); 15] = [
    ("lang", ["en", "fr"]),
    ("other", ["fr", "en"]),
    ("language", ["Français", "English"]),
    ("title", ["API reference", "Référence de l’API"]),
    ("skip", ["Skip to the reference", "Passer à la référence"]),
    ("explore", ["Look at the data", "Voir les données"]),
    ("releases", ["Releases of pollutants", "Rejets de polluants"]),
    ("emissions", ["Greenhouse gases", "Gaz à effet de serre"]),
    ("access", ["Your access", "Votre accès"]),
    ("key", ["Key", "Clé"]),
    ("host", ["Gateway host", "Hôte de la passerelle"]),
    (
        "private",
        [
            "They stay in this page and go to this service alone.",
            "Ils restent dans cette page et ne vont qu’à ce service.",
        ],
    ),
    (
        "pass",
        [
            "Without a key, the page asks as the explorer does.",
            "Sans clé, la page demande comme le fait l’explorateur.",
        ],
    ),
    ("contents", ["Contents", "Sommaire"]),
    (
        "noscript",
        [
            "Without JavaScript there are no forms here, but the examples are links. \
             <a href=\"/openapi.json\">/openapi.json</a> describes every parameter.",
            "Sans JavaScript, il n’y a pas de formulaires ici, mais les exemples sont des liens. \
             <a href=\"/openapi.json\">/openapi.json</a> décrit chaque paramètre.",
        ],
    ),
];

/// The pages by language, without and with an explorer.
static PAGES: LazyLock<[[Document; 2]; 2]> = LazyLock::new(|| {
    [Language::English, Language::French].map(|language| {
        let fill = |page: String, (name, texts): (&str, _)| {
            page.replace(&format!("{{{{{name}}}}}"), language.choose(texts))
        };
        let page = TEXTS.into_iter().fold(PAGE.to_owned(), fill);
        let page = page.replace("{{operations}}", &operations(&openapi_value(language)));
        ["no", "yes"].map(|explorer| {
            let page = explorer::with_names(&page).replace("{{explorer}}", explorer);
            // Made once, and served as long as the program runs.
            Document::new("text/html; charset=utf-8", page.leak())
        })
    })
});
static STYLE: Document =
    Document::new("text/css; charset=utf-8", include_str!("../../assets/explorer/docs.css"));
static SCRIPT: Document =
    Document::new("text/javascript; charset=utf-8", include_str!("../../assets/docs.js"));
static ICON: Document = Document::new("image/svg+xml", include_str!("../../assets/icon.svg"));

/// The page, with the pass of the explorer where there is one, so that its examples need no key.
pub(super) async fn page(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    let language = explorer::language(&request);
    let has_explorer = explorer::is_here(&request, &state);
    let page = &PAGES[language as usize][usize::from(has_explorer)];
    page.answer(&request, |response| {
        response.insert_header((CONTENT_LANGUAGE, language.tag()));
        if has_explorer {
            response.insert_header((SET_COOKIE, explorer::cookie(&request, &state)));
        }
        explorer::restrict(response);
    })
}

pub(super) async fn style(request: HttpRequest) -> HttpResponse {
    STYLE.answer(&request, explorer::restrict)
}

pub(super) async fn script(request: HttpRequest) -> HttpResponse {
    SCRIPT.answer(&request, explorer::restrict)
}

/// The icon, under the path that browsers request by default.
pub(super) async fn icon(request: HttpRequest) -> HttpResponse {
    ICON.answer(&request, explorer::restrict)
}

/// The operations of a description as HTML, those with examples first.
fn operations(document: &Value) -> String {
    let paths = document["paths"].as_object().into_iter().flatten();
    // Operations with other methods are not for people.
    let mut operations: Vec<(&String, &Value)> =
        paths.filter_map(|(path, item)| Some((path, item.get("get")?))).collect();
    operations.sort_by_key(|(_, operation)| operation["x-examples"].is_null());
    let mut html = String::new();
    for (path, operation) in operations {
        let _ = write!(html, "<section><h2>{}</h2>", escaped(&operation["summary"]));
        let Some(examples) = operation["x-examples"].as_array() else {
            let _ = writeln!(html, "<p><a href=\"{path}\">GET {path}</a></p></section>");
            continue;
        };
        let _ = write!(html, "<p class=\"path\">GET {path}</p><ul>");
        for example in examples {
            let [query, summary] = ["query", "summary"].map(|name| escaped(&example[name]));
            let _ = write!(html, "<li><a href=\"{path}?{query}\">{summary}</a></li>");
        }
        html += "</ul></section>\n";
    }
    html
}

/// A text of the description, inside an element or an attribute.
fn escaped(text: &Value) -> String {
    let text = text.as_str().unwrap_or_default();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
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
    }
}
