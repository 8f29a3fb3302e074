//! A handler that only looks a body up and sends it; no search can be faster.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use actix_web::http::header::ContentType;
use actix_web::web::{Bytes, Data};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, rt, web};

type Bodies = HashMap<String, Bytes>;

async fn copy(request: HttpRequest, bodies: Data<Bodies>) -> HttpResponse {
    let target = request.uri().path_and_query().map_or("", |target| target.as_str());
    match bodies.get(target) {
        Some(body) => HttpResponse::Ok().content_type(ContentType::json()).body(Bytes::clone(body)),
        None => HttpResponse::NotFound().finish(),
    }
}

/// Prints its address, and serves the bodies in a folder until it is killed.
///
/// # Errors
/// When the file system or the network fails.
pub fn run(dir: &Path) -> anyhow::Result<()> {
    let bodies: HashMap<String, String> =
        serde_json::from_slice(&fs::read(dir.join(super::BODIES))?)?;
    let bodies: Bodies = bodies.into_iter().map(|(target, body)| (target, body.into())).collect();
    let bodies = Data::new(bodies);
    let app = move || App::new().app_data(Data::clone(&bodies)).default_service(web::to(copy));
    rt::System::new().block_on(async {
        let server =
            HttpServer::new(app).tcp_nodelay(true).disable_signals().bind("127.0.0.1:0")?;
        for address in server.addrs() {
            writeln!(std::io::stdout(), "http://{address} copies bodies")?;
        }
        Ok(server.run().await?)
    })
}
