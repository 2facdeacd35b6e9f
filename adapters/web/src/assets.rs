//! The page: files embedded in the program, served with an `ETag` each.

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Path, media type, content.
const FILES: [(&str, &str, &str); 13] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/page/app.js", SCRIPT, include_str!("page/app.js")),
    ("/page/aside.js", SCRIPT, include_str!("page/aside.js")),
    ("/page/api.js", SCRIPT, include_str!("page/api.js")),
    ("/page/chat.js", SCRIPT, include_str!("page/chat.js")),
    ("/page/widgets.js", SCRIPT, include_str!("page/widgets.js")),
    ("/page/pickers.js", SCRIPT, include_str!("page/pickers.js")),
    ("/page/debug.js", SCRIPT, include_str!("page/debug.js")),
    ("/page/dom.js", SCRIPT, include_str!("page/dom.js")),
    ("/page/link.js", SCRIPT, include_str!("page/link.js")),
    ("/page/tabs.js", SCRIPT, include_str!("page/tabs.js")),
    ("/page/words.js", SCRIPT, include_str!("page/words.js")),
    ("/page/style.css", STYLE, include_str!("page/style.css")),
];
const ICON: (&str, &str, &str) = ("/page/icon.svg", SVG, include_str!("page/icon.svg"));

/// Where the operator's own script is served.
const TOOLS: &str = "/page/tools.js";

/// A file of the page.
pub(crate) struct Asset {
    /// Where it is served.
    pub(crate) path: &'static str,
    media_type: &'static str,
    content: String,
    etag: HeaderValue,
}

/// All files of the page, with the operator's script that registers client tools.
pub(crate) fn assets(tools_script: &str) -> Vec<Asset> {
    let embedded = FILES.iter().chain([&ICON]).map(|(path, media_type, content)| (*path, *media_type, *content));
    let files = embedded.chain([(TOOLS, SCRIPT, tools_script)]);
    files
        .map(|(path, media_type, content)| {
            let hash = URL_SAFE_NO_PAD.encode(&Sha256::digest(content.as_bytes())[..12]);
            // Base64 and quotes are valid in a header.
            let etag = HeaderValue::from_str(&format!("\"{hash}\"")).unwrap_or(HeaderValue::from_static("\"\""));
            Asset { path, media_type, content: content.to_owned(), etag }
        })
        .collect()
}

impl Asset {
    /// The file, or that it has not changed.
    pub(crate) fn response(&self, headers: &HeaderMap) -> Response {
        let seen = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let same = seen.flat_map(|value| value.split(',')).any(|tag| {
            let tag = tag.trim();
            tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == self.etag.as_bytes()
        });
        let mut response = if same {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let media_type = HeaderValue::from_static(self.media_type);
            ([(header::CONTENT_TYPE, media_type)], Body::from(self.content.clone())).into_response()
        };
        response.headers_mut().insert(header::ETAG, self.etag.clone());
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }
}
