//! The files in `deploy/` name settings, paths and folders that are there.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

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
fn the_compose_file_starts_no_redis_without_a_password() {
    let compose = documents("deploy/compose.yaml").remove(0);
    let (bot, redis) = (&compose["services"]["bot"], &compose["services"]["redis"]);
    // A compose file that asks with `:?` is refused where the variable is not set.
    let password = |text: &Value| text.as_str().is_some_and(|text| text.contains("${REDIS_PASSWORD:?"));
    assert_eq!(bot["environment"]["FORMWRIGHT__REDIS__URL"], "env:REDIS_URL");
    assert!(password(&bot["environment"]["REDIS_URL"]) && password(&redis["environment"]["REDISCLI_AUTH"]));
    assert!(redis["ports"].is_null(), "Redis is published");
    if !crate::redis::server::at_hand() {
        return;
    }
    // The command itself, with a socket in place of the port.
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let script = redis["command"][2].as_str().unwrap().replace("$$", "$");
    let elsewhere =
        format!("redis-server - --port 0 --unixsocket {} --dir {}", socket.display(), folder.path().display());
    let mut server = Command::new("sh");
    server.arg("-c").arg(script.replace("redis-server -", &elsewhere));
    let mut server = server.env("REDISCLI_AUTH", "open-sesame").stdout(Stdio::piped()).spawn().unwrap();
    let told = BufReader::new(server.stdout.take().unwrap());
    // Written with a capital letter or a small one, by version and by what it listens on.
    let ready = |line: String| line.to_lowercase().contains("ready to accept connections");
    assert!(told.lines().map_while(Result::ok).any(ready));
    let ping = |password: &str| {
        let ping = redis["healthcheck"]["test"].as_array().unwrap().iter().skip(1).map(|word| word.as_str().unwrap());
        let ping: Vec<&str> = ping.collect();
        let mut asked = Command::new(ping[0]);
        asked.arg("-s").arg(&socket).args(&ping[1..]).env("REDISCLI_AUTH", password).output().unwrap().status.success()
    };
    let answers = [ping("open-sesame"), ping("guessed"), ping("")];
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(answers, [true, false, false]);
}

#[test]
fn only_the_word_of_the_proxy_before_the_bot_is_believed() {
    let compose = documents("deploy/compose.yaml").remove(0);
    let network = &compose["networks"]["default"]["ipam"]["config"][0];
    assert_eq!(compose["services"]["bot"]["environment"]["FORMWRIGHT__WEB__TRUSTED_PROXIES"], network["gateway"]);
    for port in compose["services"]["bot"]["ports"].as_array().unwrap() {
        assert!(port.as_str().unwrap().starts_with("127.0.0.1:"), "{port} is open to visitors");
    }

    let all = documents("deploy/kubernetes/formwright.yaml");
    let kind = |kind: &str| all.iter().find(|document| document["kind"] == kind).unwrap();
    let settings = kind("ConfigMap")["data"]["formwright.toml"].as_str().unwrap();
    let settings: toml::Value = toml::from_str(settings).unwrap();
    for trusted in settings["web"]["trusted_proxies"].as_array().unwrap() {
        let bits = trusted.as_str().unwrap().rsplit('/').next().unwrap().parse::<u8>().unwrap();
        assert!(bits >= 16, "{trusted} is more than the network of the pods");
    }
    let policy = &kind("NetworkPolicy")["spec"];
    assert_eq!(policy["podSelector"], kind("StatefulSet")["spec"]["selector"]);
    for rule in policy["ingress"].as_array().unwrap() {
        assert!(rule["from"].as_array().is_some_and(|from| !from.is_empty()), "{rule} lets everybody in");
        assert!(rule["ports"].as_array().is_some_and(|ports| ports.len() == 1), "{rule}");
    }
}

#[test]
fn secrets_that_lie_in_the_folder_get_neither_into_an_image_nor_into_a_commit() {
    for file in [".dockerignore", ".gitignore"] {
        let text = std::fs::read_to_string(file).unwrap();
        let names: Vec<&str> = text.lines().map(|line| line.trim_start_matches('/')).collect();
        assert!(
            ["deploy/data-key", "deploy/secrets.env", "deploy/.env"].iter().all(|secret| names.contains(secret)),
            "{file}"
        );
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
    // Visitors do not reach the operators' port, and cannot keep the probes from it.
    for (probe, path) in [("startup", "live"), ("liveness", "live"), ("readiness", "ready")] {
        let probe = &bot[format!("{probe}Probe")]["httpGet"];
        assert_eq!(*probe, json!({ "path": format!("/health/{path}"), "port": "ops" }));
    }
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
