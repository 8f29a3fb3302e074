//! The reference page in a real browser: links scroll to their target, and examples can be clicked.
//!
//! Without a headless Chromium (Debian's `chromium-headless-shell`), the test is shown as ignored.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use serde_json::{Value, json};
use support::Server;

/// The names that a headless Chromium goes by.
const BROWSERS: [&str; 3] = ["chromium-headless-shell", "chromium", "google-chrome"];
/// How long a test waits for something before it fails; no test measures it.
const PATIENCE: Duration = Duration::from_secs(60);
/// What Chromium answers to `Runtime.evaluate` while the page gives way to the next.
const NAVIGATING: [&str; 3] = [
    "Inspected target navigated or closed",
    "Execution context was destroyed.",
    "Cannot find default execution context",
];

fn main() -> ExitCode {
    let is_there = |program: &&str| Command::new(program).arg("--version").output().is_ok();
    let browser = BROWSERS.into_iter().find(is_there);
    let trial = Trial::test("the_page_scrolls_fills_forms_and_runs_examples", move || {
        the_page_scrolls_fills_forms_and_runs_examples(browser.unwrap());
        Ok(())
    });
    let trial = match browser {
        Some(_) => trial,
        None => trial.with_ignored_flag(true).with_kind("no headless Chromium"),
    };
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

fn the_page_scrolls_fills_forms_and_runs_examples(browser: &str) {
    let server = Server::start(
        |settings| settings.auth = outfall_server::Auth::Off,
        Some(support::sample()),
    );
    let mut page = Page::open(browser);
    page.go(&format!("http://{}/docs#search_releases", server.address()));
    page.wait_for("document.getElementById('search_releases') !== null");
    page.wait_for("scrollY > 0");
    page.wait_for(
        "Math.abs(document.getElementById('search_releases').getBoundingClientRect().top) < 2",
    );
    for operation in ["search_releases", "search_emissions"] {
        let part = |selector: &str| format!("document.querySelectorAll('#{operation} {selector}')");
        let examples = page.evaluate(&format!("{}.length", part(".example")));
        for place in 0..examples.as_u64().unwrap() {
            page.evaluate(&format!("{}[0].textContent = ''", part("output")));
            page.evaluate(&format!("{}[{place}].click()", part(".example")));
            page.wait_for(&format!("{}[0].textContent.startsWith('200')", part("output")));
            let asked = page.evaluate(&format!("{}[{place}].title", part(".example")));
            let sent = page.evaluate(&format!("{}[0].textContent", part("pre")));
            // The form sends the same parameters in its own order.
            let sorted = |text: &str| {
                let query = text.split_once('?').unwrap().1.split('\'').next().unwrap();
                let mut pairs: Vec<String> =
                    query.split('&').map(|pair| pair.replace("%2C", ",")).collect();
                pairs.sort();
                pairs
            };
            assert_eq!(
                sorted(sent.as_str().unwrap()),
                sorted(asked.as_str().unwrap()),
                "{operation}"
            );
        }
    }
    let several = "document.querySelectorAll('#search_releases [name=facets]:checked').length";
    assert_eq!(page.evaluate(several), json!(2), "of the last example");
    assert!(page.faults.is_empty(), "{:?}", page.faults);
    shows_french(&mut page, &server);
    asks_with_the_pass_of_the_explorer(browser);
}

/// The page of a browser that asks for French has no English text.
fn shows_french(page: &mut Page, server: &Server) {
    let french = json!({"headers": {"Accept-Language": "fr-CA,fr;q=0.9"}});
    page.call("Network.setExtraHTTPHeaders", french);
    page.go(&format!("http://{}/docs", server.address()));
    page.wait_for("document.documentElement?.lang === 'fr'");
    page.wait_for("document.getElementById('schema-Warning') !== null");
    let button = "document.querySelector('#search_releases [type=submit]').textContent";
    assert_eq!(page.evaluate(button), json!("Essayer"));
    let title = "document.getElementById('search_releases-title').textContent";
    assert_eq!(page.evaluate(title), json!("Chercher des rejets de polluants"));
    for english in ["Try it", "Meaning", "needs a key", "Answers", "Field", "list of", "+ value"] {
        let shows = format!("document.body.innerText.includes('{english}')");
        assert_eq!(page.evaluate(&shows), json!(false), "{english}");
    }
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}

/// Where there is an explorer, examples need no key, and each question can be opened in it.
fn asks_with_the_pass_of_the_explorer(browser: &str) {
    let server = Server::start(|settings| settings.explorer = 1200, Some(support::sample()));
    let mut page = Page::open(browser);
    for (operation, is_emission) in [("search_releases", false), ("search_emissions", true)] {
        page.go(&format!("http://{}/docs", server.address()));
        page.wait_for(&format!("document.querySelector('#{operation} .example') !== null"));
        assert_eq!(page.evaluate("document.getElementById('static')"), Value::Null);
        page.evaluate(&format!("document.querySelector('#{operation} .example').click()"));
        let status = format!("document.querySelector('#{operation} output').textContent");
        page.wait_for(&format!("{status}.startsWith('200')"));
        let open = format!("document.querySelector('#{operation} .open').getAttribute('href')");
        let open = page.evaluate(&open).as_str().unwrap().to_owned();
        assert!(!open.contains("limit="), "{open}");
        assert_eq!(open.contains("on=emission"), is_emission, "{open}");
        page.evaluate(&format!("document.querySelector('#{operation} .open').click()"));
        page.wait_for("document.querySelector('#records') !== null");
        assert_eq!(page.evaluate("location.pathname + location.search"), json!(open));
    }
    assert!(page.faults.is_empty(), "{:?}", page.faults);
}

/// A browser page, which is controlled through pipes by JSON messages, each followed by a NUL.
struct Page {
    browser: Child,
    commands: File,
    answers: BufReader<File>,
    session: Value,
    last: u64,
    /// The log entries and exceptions that the page reported.
    faults: Vec<Value>,
    _pipes: tempfile::TempDir,
}

impl Page {
    fn open(browser: &str) -> Self {
        let pipes = tempfile::tempdir().unwrap();
        let [commands, answers] = ["commands", "answers"].map(|name| pipes.path().join(name));
        assert!(Command::new("mkfifo").arg(&commands).arg(&answers).status().unwrap().success());
        // The browser reads from descriptor 3 and writes to 4.
        let start = "exec \"$0\" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe \
                     --user-data-dir=\"$3\" 3<\"$1\" 4>\"$2\"";
        let browser = Command::new("sh")
            .args(["-c", start, browser])
            .args([&commands, &answers, &pipes.path().join("profile")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // These open in the same order as in the shell, because each waits for its other end.
        let commands = File::options().write(true).open(commands).unwrap();
        let answers = BufReader::new(File::open(answers).unwrap());
        let (session, faults) = (Value::Null, Vec::new());
        let mut page = Self { browser, commands, answers, session, last: 0, faults, _pipes: pipes };
        let target = page.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = json!({"targetId": target["targetId"], "flatten": true});
        page.session = page.call("Target.attachToTarget", attached)["sessionId"].clone();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page
    }

    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.try_call(method, parameters).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Returns the result of a command, or the error that the browser gives.
    fn try_call(&mut self, method: &str, parameters: Value) -> Result<Value, Value> {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": parameters});
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.commands.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.answers.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "the browser ended");
            let answer: Value = serde_json::from_slice(&bytes).unwrap();
            if answer["id"] == self.last {
                let error = &answer["error"];
                return if error.is_null() {
                    Ok(answer["result"].clone())
                } else {
                    Err(error.clone())
                };
            }
            if ["Log.entryAdded", "Runtime.exceptionThrown"]
                .iter()
                .any(|event| answer["method"] == *event)
            {
                self.faults.push(answer);
            }
        }
    }

    fn go(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
    }

    fn evaluate(&mut self, expression: &str) -> Value {
        self.try_evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    fn try_evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let parameters = json!({"expression": expression, "returnByValue": true});
        let answer = self.try_call("Runtime.evaluate", parameters)?;
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        Ok(answer["result"]["value"].clone())
    }

    /// Waits until this page, or the next that a click has led to, meets the condition.
    fn wait_for(&mut self, condition: &str) {
        let started = Instant::now();
        loop {
            match self.try_evaluate(condition) {
                Ok(Value::Bool(true)) => return,
                Ok(_) => {}
                Err(error) => {
                    let is_navigating =
                        NAVIGATING.iter().any(|message| error["message"] == *message);
                    assert!(is_navigating, "{condition}: {error}");
                }
            }
            assert!(started.elapsed() < PATIENCE, "{condition}: {:?}", self.faults);
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // The browser may have ended by itself already.
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}
