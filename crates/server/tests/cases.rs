//! Every case of `fixtures/cases` holds over the committed sample.

mod case_files;
mod support;

use support::Server;

#[test]
fn every_case_holds() {
    let server = Server::over_sample();
    for case in case_files::all() {
        let answer = server.get(&case.request);
        case.check(answer.status, &answer.body);
    }
}
