//! The objects fit together, and pods have no more rights than they need.

use deploy_tests::chart::{every_combination, file, from_yaml};
use deploy_tests::container::{Template, templates};
use serde_json::{Value, json};

fn of_kind<'a>(objects: &'a [Value], kind: &str) -> Vec<&'a Value> {
    objects.iter().filter(|object| object["kind"] == kind).collect()
}

/// Whether a selector chooses the pods of a Deployment.
fn selects(labels: &Value, template: &Template) -> bool {
    let pod = &template.deployment["spec"]["template"]["metadata"]["labels"];
    let labels = labels.as_object().expect("labels");
    !labels.is_empty() && labels.iter().all(|(name, value)| &pod[name] == value)
}

/// The Deployments that a selector chooses.
fn chosen<'a>(labels: &Value, templates: &'a [Template]) -> Vec<&'a Template> {
    templates.iter().filter(|template| selects(labels, template)).collect()
}

#[test]
fn pods_pass_the_restricted_standard() {
    for (name, objects) in every_combination() {
        for template in templates(objects) {
            let (spec, container) = (template.spec(), template.container());
            assert_eq!(spec["automountServiceAccountToken"], false, "{name}");
            assert_eq!(spec["enableServiceLinks"], false, "{name}");
            assert_eq!(spec["securityContext"]["runAsNonRoot"], true, "{name}");
            assert_eq!(
                spec["securityContext"]["seccompProfile"],
                json!({"type": "RuntimeDefault"}),
                "{name}"
            );
            let expected = json!({
                "allowPrivilegeEscalation": false,
                "readOnlyRootFilesystem": true,
                "capabilities": {"drop": ["ALL"]},
            });
            assert_eq!(container["securityContext"], expected, "{name}");
            for denied in ["hostNetwork", "hostPID", "hostIPC"] {
                assert!(spec.get(denied).is_none(), "{name}: {denied}");
            }
            for volume in spec["volumes"].as_array().into_iter().flatten() {
                assert!(volume["secret"]["secretName"].is_string(), "{name}: {volume}");
                // The owner and the group of the pod, nobody else.
                assert_eq!(volume["secret"]["defaultMode"], 0o440, "{name}: {volume}");
            }
        }
    }
}

#[test]
fn each_service_leads_to_one_deployment_and_to_ports_that_it_has() {
    for (name, objects) in every_combination() {
        let templates = templates(objects);
        let services = of_kind(objects, "Service");
        assert_eq!(services.len(), 2 * templates.len(), "{name}: each Deployment has two");
        for service in services {
            let [template] = &chosen(&service["spec"]["selector"], &templates)[..] else {
                panic!("{name}: {service} does not lead to one Deployment")
            };
            let mut names = Vec::new();
            for port in service["spec"]["ports"].as_array().expect("ports") {
                let name = port["name"].as_str().expect("a name");
                assert_eq!(port["targetPort"], name);
                assert!(template.port(name) > 0);
                names.push(name);
            }
            // The admin port is inside of the cluster alone.
            let is_headless = service["spec"]["clusterIP"] == "None";
            let expected = if is_headless { &["grpc", "metrics"][..] } else { &["grpc"] };
            assert_eq!(names, expected, "{name}");
        }
    }
}

#[test]
fn the_protocol_of_a_port_says_whether_it_is_tls() {
    for (name, objects) in every_combination() {
        if name.contains("everything-values") {
            continue; // It names one of its own.
        }
        let is_tls = templates(objects)[0].variables().contains_key("ARBITER_TLS_CERT");
        for service in of_kind(objects, "Service") {
            let expected = if is_tls { "https" } else { "kubernetes.io/h2c" };
            assert_eq!(service["spec"]["ports"][0]["appProtocol"], expected, "{name}");
        }
    }
}

#[test]
fn each_deployment_has_one_disruption_budget_and_at_most_one_autoscaler_instead_of_a_number() {
    for (name, objects) in every_combination() {
        let templates = templates(objects);
        for budget in of_kind(objects, "PodDisruptionBudget") {
            assert_eq!(chosen(&budget["spec"]["selector"]["matchLabels"], &templates).len(), 1, "{name}");
        }
        assert_eq!(of_kind(objects, "PodDisruptionBudget").len(), templates.len(), "{name}");
        for template in &templates {
            let own = |scaler: &&Value| {
                scaler["spec"]["scaleTargetRef"]["name"] == template.deployment["metadata"]["name"]
            };
            let scalers = of_kind(objects, "HorizontalPodAutoscaler").into_iter().filter(own).count();
            let is_fixed = template.deployment["spec"].get("replicas").is_some();
            assert_eq!(scalers, usize::from(!is_fixed), "{name}");
        }
    }
}

#[test]
fn the_aim_of_an_autoscaler_can_be_reached_by_the_searches_of_a_pod() {
    for (name, objects) in every_combination() {
        for scaler in of_kind(objects, "HorizontalPodAutoscaler") {
            let templates = templates(objects);
            let own = |template: &&Template| {
                template.deployment["metadata"]["name"] == scaler["spec"]["scaleTargetRef"]["name"]
            };
            let template = templates.iter().find(own).expect("its Deployment");
            let variables = template.variables();
            let aim = scaler["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"].as_u64();
            let aim = aim.expect("an aim");
            let Some(slots) = variables.get("ARBITER_SEARCH_SLOTS") else { continue };
            let reserved =
                deploy_tests::quantity::millicores(&template.container()["resources"]["requests"]["cpu"]);
            let reachable = slots.parse::<u64>().expect("slots") * 100_000 / reserved;
            assert!(aim < reachable, "{name}: all slots are busy at {reachable} %, the aim is {aim} %");
        }
    }
}

#[test]
fn the_network_policy_is_about_all_pods_and_lets_nothing_out_but_to_the_collector() {
    for (name, objects) in every_combination() {
        let [policy] = &of_kind(objects, "NetworkPolicy")[..] else { panic!("{name}: one policy") };
        let templates = templates(objects);
        let about = chosen(&policy["spec"]["podSelector"]["matchLabels"], &templates);
        assert_eq!(about.len(), templates.len(), "{name}");
        assert_eq!(policy["spec"]["policyTypes"], json!(["Ingress", "Egress"]), "{name}");
        for rule in policy["spec"]["ingress"].as_array().expect("rules") {
            let port = rule["ports"][0]["port"].as_str().expect("a name");
            assert!(templates.iter().all(|template| template.port(port) > 0));
            let is_open = rule.get("from").is_none();
            assert!(!is_open || port == "grpc", "{name}: {port} is open to everyone");
        }
        let collector = templates[0].variables().get("ARBITER_OTLP_ENDPOINT").cloned();
        let out = policy["spec"]["egress"].as_array().expect("rules");
        let ports = out.iter().flat_map(|rule| rule["ports"].as_array().expect("ports"));
        let ports: Vec<_> = ports.map(|port| port["port"].as_u64().expect("a number")).collect();
        match collector {
            Some(address) => {
                let port = address.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
                assert_eq!(ports, [53, 53, port], "{name}");
            }
            None => assert!(ports.is_empty(), "{name}: {ports:?}"),
        }
    }
}

#[test]
fn the_load_job_asks_a_service_that_is_there() {
    let job = std::fs::read_to_string(file("deploy/kubernetes/load-job.yaml")).unwrap();
    let (_, target) = job.split_once("--target=").expect("a target");
    let (name, port) = target.lines().next().unwrap().split_once(':').expect("a port");
    let manifests = from_yaml(&std::fs::read(file("deploy/kubernetes/arbiter.yaml")).unwrap());
    let services = of_kind(&manifests, "Service");
    let service = services.iter().find(|service| service["metadata"]["name"] == name).expect("the Service");
    let ports = service["spec"]["ports"].as_array().unwrap();
    assert!(ports.iter().any(|it| it["port"].as_u64() == port.parse().ok()), "{service}");
}

#[test]
fn the_service_monitor_finds_one_port_of_each_deployment() {
    let mut seen = 0;
    for (name, objects) in every_combination() {
        for monitor in of_kind(objects, "ServiceMonitor") {
            let labels = monitor["spec"]["selector"]["matchLabels"].as_object().expect("labels");
            let port = &monitor["spec"]["endpoints"][0]["port"];
            let is_found = |service: &&&Value| {
                let own = &service["metadata"]["labels"];
                let ports = service["spec"]["ports"].as_array().expect("ports");
                labels.iter().all(|(name, value)| &own[name] == value)
                    && ports.iter().any(|it| &it["name"] == port)
            };
            let services = of_kind(objects, "Service");
            assert_eq!(services.iter().filter(is_found).count(), templates(objects).len(), "{name}");
            seen += 1;
        }
    }
    assert!(seen > 0, "no combination of values has one");
}
