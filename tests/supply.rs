//! What is built in: no crate that an advisory names, none that is banned, and one of each that guards a connection.
//!
//! `cargo deny` looks at the same with its own database, where that can be had; this needs nothing but the files here.

use std::collections::BTreeMap;

use rstest::rstest;
use semver::{Version, VersionReq};

fn read(file: &str) -> toml::Value {
    toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn texts<'a>(value: &'a toml::Value, key: &str) -> Vec<&'a str> {
    value.get(key).into_iter().flat_map(|list| list.as_array().unwrap()).map(|text| text.as_str().unwrap()).collect()
}

/// The versions of each crate in `Cargo.lock`, with where it comes from.
fn locked() -> BTreeMap<String, Vec<(Version, Option<String>)>> {
    let lock = read("Cargo.lock");
    let mut crates: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for package in lock["package"].as_array().unwrap() {
        let text = |key: &str| package.get(key).map(|text| text.as_str().unwrap().to_owned());
        let version = text("version").unwrap().parse().unwrap();
        crates.entry(text("name").unwrap()).or_default().push((version, text("source")));
    }
    crates
}

/// Whether an advisory concerns a version.
fn concerns(advisory: &toml::Value, version: &Version) -> bool {
    let spared = texts(advisory, "patched").into_iter().chain(texts(advisory, "unaffected"));
    !spared.map(|range| range.parse::<VersionReq>().unwrap()).any(|range| range.matches(version))
}

#[test]
fn no_crate_is_built_in_that_an_advisory_names() {
    let (known, crates, deny) = (read(".ci/advisories.toml"), locked(), read(".deny.toml"));
    let ignored: Vec<&str> = deny["advisories"]["ignore"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let reason = entry["reason"].as_str().unwrap();
            assert!(reason.contains("2026-") || reason.contains("2027-"), "an exception has its date: {reason}");
            entry["id"].as_str().unwrap()
        })
        .collect();
    let mut open = Vec::new();
    for advisory in known["advisory"].as_array().unwrap() {
        let (id, package) = (advisory["id"].as_str().unwrap(), advisory["package"].as_str().unwrap());
        for (version, _) in crates.get(package).into_iter().flatten() {
            if concerns(advisory, version) && !ignored.contains(&id) {
                open.push(format!("{id}: {package} {version}"));
            }
        }
    }
    assert!(open.is_empty(), "{}", open.join("\n"));
}

#[rstest]
#[case("RUSTSEC-2026-0104", "0.102.8", true)]
#[case("RUSTSEC-2026-0104", "0.103.12", true)]
#[case("RUSTSEC-2026-0104", "0.103.13", false)]
#[case("RUSTSEC-2026-0173", "2.0.1", true)]
#[case("RUSTSEC-2026-0097", "0.8.5", true)]
#[case("RUSTSEC-2026-0097", "0.8.8", false)]
#[case("RUSTSEC-2026-0285", "0.22.4", false)]
fn an_advisory_concerns_what_is_neither_patched_nor_unaffected(
    #[case] id: &str,
    #[case] version: &str,
    #[case] expected: bool,
) {
    let known = read(".ci/advisories.toml");
    let advisory = known["advisory"].as_array().unwrap().iter().find(|advisory| advisory["id"].as_str() == Some(id));
    assert_eq!(concerns(advisory.unwrap(), &version.parse().unwrap()), expected);
}

#[test]
fn what_guards_a_connection_is_there_once_and_what_is_banned_is_not_there() {
    let (crates, deny) = (locked(), read(".deny.toml"));
    let bans = &deny["bans"];
    let skipped: Vec<&str> =
        bans["skip"].as_array().unwrap().iter().filter_map(|skip| skip["crate"].as_str()).collect();
    for banned in bans["deny"].as_array().unwrap() {
        let name = banned["crate"].as_str().unwrap();
        if banned.get("deny-multiple-versions").is_none() {
            assert!(!crates.contains_key(name), "{name} came back");
            continue;
        }
        let versions = crates[name].iter().map(|(version, _)| version.to_string());
        let excepted = |version: &String| skipped.iter().any(|skip| format!("{name}@{version}").starts_with(*skip));
        let versions: Vec<String> = versions.filter(|version| !excepted(version)).collect();
        assert_eq!(versions.len(), 1, "{name} is built in as {}", versions.join(" and "));
    }
}

#[test]
fn crates_come_from_this_repository_and_from_the_registry_alone() {
    let strange = |source: &&String| source.as_str() != "registry+https://github.com/rust-lang/crates.io-index";
    let crates = locked();
    let strange: Vec<_> = crates.values().flatten().filter_map(|(_, source)| source.as_ref()).filter(strange).collect();
    assert!(strange.is_empty(), "{strange:?}");
    let ours = crates.iter().filter(|(_, versions)| versions.iter().any(|(_, source)| source.is_none()));
    assert!(ours.into_iter().all(|(name, _)| name.starts_with("formwright")));
}
