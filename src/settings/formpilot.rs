//! The variables of `FormPilot`'s own server, which are defaults of settings where its protocol is spoken: whatever a file or
//! a variable of this program's says goes over them.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use config::Value;

use super::SettingsError;

const HOST: &str = "BACKEND_HOST";
const PORT: &str = "BACKEND_PORT";
const ORIGINS: &str = "CORS_ALLOWED_ORIGINS";
const TIMEOUT: &str = "SESSION_TIMEOUT_SECONDS";

/// The port that its server listens on where only a host is named.
const USUAL_PORT: u16 = 8000;

/// Those of the variables that are read.
pub(super) fn of(variables: &BTreeMap<String, String>) -> BTreeMap<&'static str, String> {
    let set =
        |name: &'static str| Some((name, variables.get(name)?.trim().to_owned())).filter(|(_, text)| !text.is_empty());
    [HOST, PORT, ORIGINS, TIMEOUT].into_iter().filter_map(set).collect()
}

/// What they set, by key.
///
/// # Errors
/// Names the variable that does not fit.
pub(super) fn defaults(variables: &BTreeMap<&str, String>) -> Result<Vec<(&'static str, Value)>, SettingsError> {
    let unfit = |name: &str, expected: &str| {
        let found = variables.get(name).map(String::as_str).unwrap_or_default();
        SettingsError::Unfit(format!("the variable {name}: expected {expected}, found `{found}`"))
    };
    let mut all = Vec::new();
    let host = match variables.get(HOST).map(String::as_str) {
        Some("localhost") => Some(Ipv4Addr::LOCALHOST.into()),
        Some(host) => Some(host.parse::<IpAddr>().map_err(|_| unfit(HOST, "an IP address, such as 0.0.0.0"))?),
        None => None,
    };
    let port = variables.get(PORT).map(|port| port.parse::<u16>().map_err(|_| unfit(PORT, "a port, such as 8000")));
    let port = port.transpose()?;
    if host.is_some() || port.is_some() {
        let host = host.unwrap_or(Ipv4Addr::LOCALHOST.into());
        all.push(("web.listen", SocketAddr::new(host, port.unwrap_or(USUAL_PORT)).to_string().into()));
    }
    if let Some(origins) = variables.get(ORIGINS) {
        let list: Vec<&str> = origins.split(',').map(str::trim).filter(|origin| !origin.is_empty()).collect();
        all.push(("web.origins", list.into()));
    }
    if let Some(seconds) = variables.get(TIMEOUT) {
        let fits = seconds.parse::<u64>().is_ok_and(|seconds| (60..=366 * 86_400).contains(&seconds));
        if !fits {
            return Err(unfit(TIMEOUT, "seconds from 60 to 31622400"));
        }
        all.push(("forms.draft_ttl", format!("{seconds}s").into()));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, String> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Settings::from_sources(None, variables).map_err(|error| error.to_string())
    }

    const ON: (&str, &str) = ("FORMWRIGHT__WEB__FORMPILOT", "true");

    #[test]
    fn its_variables_are_defaults_where_its_protocol_is_spoken() {
        let theirs =
            [(HOST, "0.0.0.0"), (PORT, "9000"), (ORIGINS, "https://a.example, https://b.example"), (TIMEOUT, "900")];
        let settings = read(&[&theirs[..], &[ON]].concat()).unwrap();
        assert_eq!(settings.web.listen.to_string(), "0.0.0.0:9000");
        assert_eq!(settings.web.origins, ["https://a.example", "https://b.example"]);
        assert_eq!(settings.forms.draft_ttl, 900);
        let ours = ("FORMWRIGHT__WEB__LISTEN", "127.0.0.1:0");
        assert_eq!(read(&[&theirs[..], &[ON, ours]].concat()).unwrap().web.listen.to_string(), "127.0.0.1:0");
        assert_eq!(read(&theirs).unwrap(), Settings::default(), "such names mean nothing to anybody else");
    }

    #[rstest::rstest]
    #[case(&[(HOST, "::")], "[::]:8000")]
    #[case(&[(HOST, "localhost")], "127.0.0.1:8000")]
    #[case(&[(PORT, "81")], "127.0.0.1:81")]
    #[case(&[(PORT, " ")], "127.0.0.1:8080")]
    fn either_half_of_the_address_may_be_missing(#[case] theirs: &[(&str, &str)], #[case] listen: &str) {
        assert_eq!(read(&[theirs, &[ON]].concat()).unwrap().web.listen.to_string(), listen);
    }

    #[rstest::rstest]
    #[case(HOST, "my.host")]
    #[case(PORT, "http")]
    #[case(TIMEOUT, "5")]
    #[case(TIMEOUT, "30m")]
    fn what_does_not_fit_is_told_by_the_name_of_the_variable(#[case] name: &str, #[case] value: &str) {
        let error = read(&[ON, (name, value)]).unwrap_err();
        assert!(error.contains(name) && error.contains(value), "{error}");
    }
}
