//! The request that a tool of kind `http` makes of its arguments. Pure: who sends it is the crate `tool`.

use serde_json::{Map, Value as Json};

use super::{Http, Method};

/// What is to be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Where to, with every argument of the path and the query in its place.
    pub url: String,
    /// A JSON object; none where everything is in the address.
    pub body: Option<Json>,
}

/// Why there is no request for these arguments: it would ask for something else. Says for which param, never its value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// An empty part of the path, or one that means the folder itself or the one above.
    #[error("the param `{0}` leaves no name in the path")]
    NoName(String),
    /// A list or a table where one value goes.
    #[error("the param `{0}` is no single value, as its place in the address needs it")]
    NotSingle(String),
}

/// Makes the request. Arguments with a `{hole}` in the address go there; the others are the query of a `get`, and the body of
/// a `post` or `put`. What stands after a `#` is not sent.
///
/// # Errors
/// Where an argument of the path is empty, `.` or `..`, or no single value.
pub fn request(http: &Http, args: &Json) -> Result<Request, Unfit> {
    let none = Map::new();
    let args = args.as_object().unwrap_or(&none);
    let template = http.url.split('#').next().unwrap_or_default();
    let (path, query) = template.split_once('?').map_or((template, None), |(path, query)| (path, Some(query)));
    let mut url = path.split('/').map(|segment| named(segment, args)).collect::<Result<Vec<_>, _>>()?.join("/");
    if let Some(query) = query {
        url.push('?');
        url.push_str(&filled(query, args)?.0);
    }
    let others = args.iter().filter(|(name, _)| !http.holes.iter().any(|(_, hole)| hole == *name));
    if http.method != Method::Get {
        let body = others.map(|(name, value)| (name.clone(), value.clone())).collect();
        return Ok(Request { url, body: Some(Json::Object(body)) });
    }
    let mut between = if query.is_some() { '&' } else { '?' };
    for (name, value) in others {
        let values = value.as_array().map_or_else(|| std::slice::from_ref(value), Vec::as_slice);
        for value in values.iter().filter(|value| !value.is_null()) {
            let text = single(value).unwrap_or_else(|| value.to_string());
            url.push_str(&format!("{between}{}={}", encoded(name), encoded(&text)));
            between = '&';
        }
    }
    Ok(Request { url, body: None })
}

/// A part of the path with its holes filled. Dots would be taken for the way up, coded or not.
fn named(segment: &str, args: &Map<String, Json>) -> Result<String, Unfit> {
    match filled(segment, args)? {
        (text, Some(name)) if matches!(text.as_str(), "" | "." | "..") => Err(Unfit::NoName(name)),
        (text, _) => Ok(text),
    }
}

/// A text with its holes filled, and the last hole's name.
fn filled(template: &str, args: &Map<String, Json>) -> Result<(String, Option<String>), Unfit> {
    let (mut text, mut rest, mut last) = (String::new(), template, None);
    while let Some((before, (name, after))) =
        rest.split_once('{').and_then(|(before, hole)| Some((before, hole.split_once('}')?)))
    {
        text.push_str(before);
        let value = args.get(name).unwrap_or(&Json::Null);
        text.push_str(&encoded(&single(value).ok_or_else(|| Unfit::NotSingle(name.to_owned()))?));
        (rest, last) = (after, Some(name.to_owned()));
    }
    text.push_str(rest);
    Ok((text, last))
}

/// A single value as it is written; nothing at all is the empty text.
fn single(value: &Json) -> Option<String> {
    match value {
        Json::Null => Some(String::new()),
        Json::Bool(truth) => Some(truth.to_string()),
        Json::Number(number) => Some(number.to_string()),
        Json::String(text) => Some(text.clone()),
        Json::Array(_) | Json::Object(_) => None,
    }
}

/// Percent-coded but for the characters that mean nothing anywhere in an address.
fn encoded(text: &str) -> String {
    let mut coded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => coded.push(char::from(byte)),
            _ => coded.push_str(&format!("%{byte:02X}")),
        }
    }
    coded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    fn http(method: Method, url: &str) -> Http {
        let names = url.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
        Http { method, url: url.to_owned(), holes: names.map(|(name, _)| (0..0, name.to_owned())).collect() }
    }

    #[rstest]
    #[case("https://p.example/v1/{no}", json!({"no": "a b/c"}), "https://p.example/v1/a%20b%2Fc")]
    #[case("https://p.example/v1/{no}/state", json!({"no": 7}), "https://p.example/v1/7/state")]
    #[case("https://p.example/{a}-{b}", json!({"a": ".", "b": "."}), "https://p.example/.-.")]
    #[case("https://p.example/{a}", json!({"a": "%2e%2e"}), "https://p.example/%252e%252e")]
    #[case("https://p.example/{a}", json!({"a": "..."}), "https://p.example/...")]
    #[case("https://p.example/{a}", json!({"a": "?x#y\\@é\r\n"}), "https://p.example/%3Fx%23y%5C%40%C3%A9%0D%0A")]
    #[case("https://p.example/", json!({"q": "a&b=c", "n": 2}), "https://p.example/?q=a%26b%3Dc&n=2")]
    #[case("https://p.example/?of={a}#x{b}", json!({"a": "x y", "n": true}), "https://p.example/?of=x%20y&n=true")]
    #[case("https://p.example/x", json!({"many": ["a", "b", null], "no": null}), "https://p.example/x?many=a&many=b")]
    #[case("https://p.example/x", json!({"at": {"y": 1}}), "https://p.example/x?at=%7B%22y%22%3A1%7D")]
    #[case("https://p.example/x", json!({}), "https://p.example/x")]
    fn arguments_stand_in_the_address_as_text(#[case] url: &str, #[case] args: Json, #[case] expected: &str) {
        let made = request(&http(Method::Get, url), &args).unwrap();
        assert_eq!((made.url.as_str(), made.body), (expected, None));
    }

    #[rstest]
    #[case("https://p.example/{a}", json!({"a": ""}), Unfit::NoName("a".to_owned()))]
    #[case("https://p.example/{a}", json!({"a": null}), Unfit::NoName("a".to_owned()))]
    #[case("https://p.example/{a}", json!({}), Unfit::NoName("a".to_owned()))]
    #[case("https://p.example/{a}/x", json!({"a": "."}), Unfit::NoName("a".to_owned()))]
    #[case("https://p.example/{a}/x", json!({"a": ".."}), Unfit::NoName("a".to_owned()))]
    #[case("https://p.example/{a}{b}/x", json!({"a": ".", "b": "."}), Unfit::NoName("b".to_owned()))]
    #[case("https://p.example/.{a}?x", json!({"a": "."}), Unfit::NoName("a".to_owned()))]
    #[case("https://p.example/{a}", json!({"a": ["x"]}), Unfit::NotSingle("a".to_owned()))]
    #[case("https://p.example/?x={a}", json!({"a": {"x": 1}}), Unfit::NotSingle("a".to_owned()))]
    fn what_would_ask_for_something_else_is_not_asked(#[case] url: &str, #[case] args: Json, #[case] expected: Unfit) {
        assert_eq!(request(&http(Method::Get, url), &args), Err(expected));
    }

    #[test]
    fn what_is_not_in_the_address_is_the_body_of_a_post() {
        let made = request(&http(Method::Post, "https://p.example/{no}"), &json!({"no": 1, "a": [2], "b": null}));
        let (url, body) = ("https://p.example/1".to_owned(), Some(json!({"a": [2], "b": null})));
        assert_eq!(made, Ok(Request { url, body }));
    }

    proptest! {
        #[test]
        fn no_argument_leads_elsewhere(a in any::<String>(), b in any::<String>()) {
            let tool = http(Method::Get, "https://p.example:8443/v1/{a}/x?b={b}");
            if let Ok(made) = request(&tool, &json!({"a": a, "b": b, "c": a})) {
                let url: reqwest::Url = made.url.parse().unwrap();
                prop_assert_eq!(url.origin().ascii_serialization(), "https://p.example:8443");
                let segments: Vec<_> = url.path_segments().unwrap().collect();
                prop_assert_eq!((segments.len(), segments[0], segments[2]), (3, "v1", "x"));
                let pairs: Vec<_> = url.query_pairs().into_owned().collect();
                prop_assert_eq!(pairs, [("b".to_owned(), b), ("c".to_owned(), a)]);
                prop_assert_eq!(url.fragment(), None);
            }
        }
    }
}
