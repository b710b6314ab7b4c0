//! What a Deployment says of its pods.

use std::collections::BTreeMap;

use serde_json::Value;

/// The pod of one Deployment.
#[derive(Debug)]
pub struct Template {
    /// The Deployment as a whole.
    pub deployment: Value,
}

/// The Deployments among objects.
#[must_use]
pub fn templates(objects: &[Value]) -> Vec<Template> {
    let deployments = objects.iter().filter(|object| object["kind"] == "Deployment");
    deployments.map(|deployment| Template { deployment: deployment.clone() }).collect()
}

impl Template {
    /// The pod's `spec`.
    #[must_use]
    pub fn spec(&self) -> &Value {
        &self.deployment["spec"]["template"]["spec"]
    }

    /// The one container.
    ///
    /// # Panics
    /// There are several.
    #[must_use]
    pub fn container(&self) -> &Value {
        let [container] = &self.spec()["containers"].as_array().expect("containers")[..] else {
            panic!("several containers")
        };
        container
    }

    /// The variables. What Kubernetes would fill in is `x`.
    ///
    /// # Panics
    /// One is there twice, or is no text, which Kubernetes refuses.
    #[must_use]
    pub fn variables(&self) -> BTreeMap<String, String> {
        let mut variables = BTreeMap::new();
        for variable in self.container()["env"].as_array().expect("variables") {
            let name = variable["name"].as_str().expect("a name").to_owned();
            let value = match variable.get("valueFrom") {
                Some(_) => "x".to_owned(),
                None => variable["value"].as_str().unwrap_or_else(|| panic!("{name} is no text")).to_owned(),
            };
            let before = variables.insert(name.clone(), value);
            assert_eq!(before, None, "{name} is there twice");
        }
        variables
    }

    /// The number of a port by its name.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn port(&self, name: &str) -> u64 {
        let ports = self.container()["ports"].as_array().expect("ports");
        let port = ports.iter().find(|port| port["name"] == name).unwrap_or_else(|| panic!("no port {name}"));
        port["containerPort"].as_u64().expect("a number")
    }

    /// The three probes by their names.
    #[must_use]
    pub fn probes(&self) -> [(&'static str, &Value); 3] {
        ["startupProbe", "livenessProbe", "readinessProbe"]
            .map(|name| (name, &self.container()[name]["grpc"]))
    }

    /// The name of a Secret that is mounted as this folder, as a whole: one file of it alone would never change.
    ///
    /// # Panics
    /// There is none.
    #[must_use]
    pub fn secret_in(&self, folder: &str) -> &Value {
        let mounts = self.container()["volumeMounts"].as_array().expect("mounts");
        let mount = mounts.iter().find(|mount| mount["mountPath"] == folder);
        let mount = mount.unwrap_or_else(|| panic!("nothing is mounted as {folder}"));
        assert!(mount.get("subPath").is_none(), "{folder} would never change");
        let volumes = self.spec()["volumes"].as_array().expect("volumes");
        let volume = volumes.iter().find(|volume| volume["name"] == mount["name"]).expect("the volume");
        &volume["secret"]
    }
}
