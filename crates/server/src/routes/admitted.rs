//! The checks that every request for the data must pass: the key, the host, and the rate limit.

use actix_web::{HttpRequest, HttpResponse};
use outfall_api::Problem;

use crate::admission::Party;
use crate::caller::Caller;
use crate::state::AppState;
use crate::{gateway, problem};

/// Answers a caller that passes the checks, or responds with the problem if it does not.
pub(super) async fn answer_to_caller(
    request: &HttpRequest,
    state: &AppState,
    answer: impl AsyncFnOnce(Caller, Party) -> Result<HttpResponse, Problem>,
) -> HttpResponse {
    let key = match gateway::check(request, state) {
        Ok(key) => key,
        Err(problem) => return problem::answer(&problem, request),
    };
    let address = gateway::address(request, state, key.as_ref());
    let caller = Caller::of(key.as_ref(), address);
    let allowance = state.take_allowance(&caller);
    let answered = match allowance.and_then(|allowance| allowance.wait()) {
        Some(retry_after) => Err(Problem::RateLimited { retry_after }),
        None => answer(caller, key).await,
    };
    let mut response = answered.unwrap_or_else(|problem| problem::answer(&problem, request));
    if let Some(allowance) = allowance {
        allowance.write(response.headers_mut());
    }
    response
}
