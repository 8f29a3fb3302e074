//! The explorer: a page in English and French for people who would rather look than read.
//!
//! Its files are built from `explorer/` by `cargo xtask explorer`, and are built into the program.

use std::sync::LazyLock;

use actix_web::http::header::{ACCEPT, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, SET_COOKIE};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use outfall_api::{Language, Problem, names_of_answers, quality_values};

use super::document::Document;
use super::{index, not_found};
use crate::http::{accepted_language, lines};
use crate::page_pass::is_known_host;
use crate::problem;
use crate::settings::Auth;
use crate::state::AppState;

/// The page may run its own script, use its own style and icon, and send requests to this service,
/// nothing else; and no text can become markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
                      form-action 'self'; require-trusted-types-for 'script'; \
                      trusted-types 'none'";

/// The page in English and in French, with `{{access}}` where it says what a request needs,
/// `{{embeds}}` where it says whether other sites may show its charts, and `{{of_records}}`.
const PAGES: [&str; 2] = [
    include_str!("../../assets/explorer/page.en.html"),
    include_str!("../../assets/explorer/page.fr.html"),
];

static STYLE: Document =
    Document::new("text/css; charset=utf-8", include_str!("../../assets/explorer/explorer.css"));
static SCRIPT: Document = Document::new(
    "text/javascript; charset=utf-8",
    include_str!("../../assets/explorer/explorer.js"),
);
/// The shapes of the provinces and lakes, which are only loaded with a map.
static MAP: Document =
    Document::new("application/json", include_str!("../../assets/explorer/map.json"));

/// What a request outside the page needs, for the commands that the page shows.
#[derive(Clone, Copy)]
enum Access {
    Open,
    DemoKey,
    Key,
}

impl Access {
    const ALL: [(Self, &str); 3] =
        [(Self::Open, "open"), (Self::DemoKey, "demo"), (Self::Key, "key")];

    fn of(state: &AppState) -> Self {
        match state.settings.auth {
            Auth::Off => Self::Open,
            Auth::Required if state.settings.demo_key > 0 => Self::DemoKey,
            Auth::Required => Self::Key,
        }
    }
}

/// A page with the names of the parameters that choose no matches, where it has `{{of_records}}`.
pub(super) fn with_names(page: &str) -> String {
    page.replace("{{of_records}}", &names_of_answers().collect::<Vec<_>>().join(" "))
}

/// The pages by language and access, without and with embeds.
static DOCUMENTS: LazyLock<[[[Document; 2]; Access::ALL.len()]; PAGES.len()]> =
    LazyLock::new(|| {
        PAGES.map(|page| {
            Access::ALL.map(|(_, access)| {
                ["no", "yes"].map(|embeds| {
                    let page = page.replace("{{access}}", access).replace("{{embeds}}", embeds);
                    // Made once, and served as long as the program runs.
                    Document::new("text/html; charset=utf-8", with_names(&page).leak())
                })
            })
        })
    });

/// The page for browsers, and the list of operations for everybody else.
pub(super) async fn root(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    if is_page_wanted(&request, &state) { page(&request, &state) } else { index::index() }
}

/// The page of a facility or a substance, which the script draws.
pub(super) async fn view(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    match is_page_wanted(&request, &state) {
        true => page(&request, &state),
        false => not_found(request).await,
    }
}

pub(super) async fn style(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    asset(&request, &state, &STYLE)
}

pub(super) async fn script(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    asset(&request, &state, &SCRIPT)
}

pub(super) async fn map(request: HttpRequest, state: web::Data<AppState>) -> HttpResponse {
    asset(&request, &state, &MAP)
}

fn asset(request: &HttpRequest, state: &AppState, document: &Document) -> HttpResponse {
    match state.settings.explorer {
        0 => problem::answer(&Problem::not_found(request.path()), request),
        _ => document.answer(request, restrict),
    }
}

/// The pass as the value of `Set-Cookie`.
pub(super) fn cookie(request: &HttpRequest, state: &AppState) -> String {
    state.page_passes.cookie(request.connection_info().scheme() == "https")
}

fn page(request: &HttpRequest, state: &AppState) -> HttpResponse {
    let language = language(request);
    let of_access = &DOCUMENTS[language as usize][Access::of(state) as usize];
    let has_embeds = !state.settings.embed_origins.is_empty();
    of_access[usize::from(has_embeds)].answer(request, |response| {
        response.insert_header((CONTENT_LANGUAGE, language.tag()));
        response.insert_header((SET_COOKIE, cookie(request, state)));
        restrict(response);
    })
}

/// Whether there is an explorer, and the request came to a host at which the page's own requests
/// would be answered.
pub(super) fn is_here(request: &HttpRequest, state: &AppState) -> bool {
    let settings = &state.settings;
    settings.explorer > 0
        && (settings.auth == Auth::Off || is_known_host(request.headers(), &settings.host_names))
}

/// Whether the page is here, and the caller prefers HTML to JSON.
fn is_page_wanted(request: &HttpRequest, state: &AppState) -> bool {
    let accepted = quality_values(lines(request.headers(), ACCEPT));
    let weight = |media_type: &str| {
        let named = accepted.iter().find(|(value, _)| value == media_type);
        named.map_or(0, |(_, weight)| *weight)
    };
    let html = weight("text/html");
    is_here(request, state) && html > 0 && html >= weight("application/json")
}

/// The language of `lang` in the query, or else the one that the caller prefers.
pub(super) fn language(request: &HttpRequest) -> Language {
    let named = request.query_string().split('&').find_map(|pair| match pair {
        "lang=en" => Some(Language::English),
        "lang=fr" => Some(Language::French),
        _ => None,
    });
    named.unwrap_or_else(|| accepted_language(request.headers()))
}

/// The policy of a page that only these sites may show in a frame.
pub(super) fn policy(ancestors: &str) -> String {
    format!("{POLICY}; frame-ancestors {ancestors}")
}

pub(super) fn restrict(response: &mut HttpResponseBuilder) {
    response.insert_header((CONTENT_SECURITY_POLICY, policy("'none'")));
}
