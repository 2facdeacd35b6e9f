//! The files in `deploy/` name settings, paths and folders that are there.

use std::collections::BTreeMap;

use serde_json::Value;

fn documents(file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file).unwrap();
    text.split("\n---\n").map(|part| serde_saphyr::from_str(part).unwrap()).collect()
}

/// Whether the program would take these as settings.
fn assert_are_settings(file: &str, text: &str, variables: &BTreeMap<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("formwright.toml");
    std::fs::write(&settings, text).unwrap();
    let mut check = std::process::Command::new(env!("CARGO_BIN_EXE_formwright"));
    check.arg("--config").arg(&settings).args(["--forms", "forms", "check"]).envs(variables);
    let out = check.output().unwrap();
    assert!(out.status.success(), "{file}: {}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn the_image_and_the_compose_file_name_settings_that_there_are() {
    let image = std::fs::read_to_string("deploy/Dockerfile").unwrap();
    let words = image.split([' ', '\n', '\\']).filter_map(|word| word.split_once('='));
    let ours =
        |(name, value): (&str, &str)| name.starts_with("FORMWRIGHT__").then(|| (name.to_owned(), value.to_owned()));
    let mut variables: BTreeMap<String, String> = words.filter_map(ours).collect();
    assert_eq!(variables.len(), 3, "{variables:?}");
    let compose = documents("deploy/compose.yaml").remove(0);
    let bot = &compose["services"]["bot"];
    let named = bot["environment"].as_object().unwrap();
    variables.extend(named.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())));
    variables.remove("FORMWRIGHT__FORMS__DIR");
    assert_are_settings("deploy/compose.yaml", "", &variables);
    assert_eq!(bot["read_only"], true);
    for secret in bot["secrets"].as_array().unwrap() {
        assert!(compose["secrets"][secret.as_str().unwrap()].is_object(), "{secret} is not there");
    }
    let redis = compose["services"]["redis"]["command"].to_string();
    assert!(redis.contains("noeviction") && redis.contains("appendonly"), "{redis}");
}

#[test]
fn secrets_that_lie_in_the_folder_get_neither_into_an_image_nor_into_a_commit() {
    for file in [".dockerignore", ".gitignore"] {
        let text = std::fs::read_to_string(file).unwrap();
        let names: Vec<&str> = text.lines().map(|line| line.trim_start_matches('/')).collect();
        assert!(names.contains(&"deploy/data-key") && names.contains(&"deploy/secrets.env"), "{file}");
    }
}

#[test]
fn the_manifests_name_settings_and_paths_that_there_are() {
    let all = documents("deploy/kubernetes/formwright.yaml");
    let kind = |kind: &str| all.iter().find(|document| document["kind"] == kind).unwrap();
    let settings = kind("ConfigMap")["data"]["formwright.toml"].as_str().unwrap();
    assert_are_settings("deploy/kubernetes/formwright.yaml", settings, &BTreeMap::new());
    let secret = documents("deploy/kubernetes/secret.yaml").remove(0);
    let parsed: toml::Value = toml::from_str(settings).unwrap();
    for named in [&parsed["redis"]["url"], &parsed["data"]["key"]] {
        let variable = named.as_str().unwrap().strip_prefix("env:").unwrap();
        assert!(secret["stringData"][variable].is_string(), "the secret lacks {variable}");
    }
    assert!(parsed["web"]["trusted_proxies"].as_array().is_some_and(|proxies| !proxies.is_empty()), "all count as one");
    let set = &kind("StatefulSet")["spec"];
    let pod = &set["template"]["spec"];
    let bot = &pod["containers"][0];
    assert_eq!(set["replicas"], 2);
    assert_eq!(bot["livenessProbe"]["httpGet"]["path"], "/health/live");
    assert_eq!(bot["readinessProbe"]["httpGet"]["path"], "/health/ready");
    let mut volumes: Vec<&Value> = pod["volumes"].as_array().unwrap().iter().map(|volume| &volume["name"]).collect();
    // What sinks write must outlive a pod.
    let claims = set["volumeClaimTemplates"].as_array().unwrap().iter().map(|claim| &claim["metadata"]["name"]);
    assert!(claims.clone().any(|name| name == "data"));
    volumes.extend(claims);
    for mount in bot["volumeMounts"].as_array().unwrap() {
        assert!(volumes.contains(&&mount["name"]), "{mount}");
    }
    assert_eq!(kind("PodDisruptionBudget")["spec"]["selector"], set["selector"]);
}
