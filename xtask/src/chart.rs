//! Checks the chart, and the manifests that are made of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{Failure, cannot_start, root, run};
use crate::kubernetes::{Kubernetes, kubernetes};

const CHART: &str = "deploy/helm/arbiter";

/// The release that manifests are rendered as.
const RELEASE: &str = "arbiter";

/// Manifests for those who have no Helm, and the values that they are made with.
const MANIFESTS: [(&str, &str); 2] =
    [("deploy/kubernetes", "mode=all"), ("deploy/kubernetes/split", "mode=split")];

/// The oldest version of Kubernetes that the chart allows, and the newest that there are schemas of.
const VERSIONS: [&str; 2] = ["1.27.0", "1.37.0"];

/// Kinds that are not part of Kubernetes: there is no schema of them, and they are not validated.
const FOREIGN_KINDS: [&str; 1] = ["ServiceMonitor"];

/// The first lines of a file of manifests.
const HEAD: &str = "# Made by `cargo xtask manifests` from deploy/helm/arbiter: change that instead.\n";

pub(crate) fn check() -> Result<(), Failure> {
    let kubernetes = kubernetes()?;
    let mut rendered = Vec::new();
    for values in combinations()? {
        let with_values = ["--values", &values];
        run(&mut kubernetes.helm(&[&["lint", "--strict", "--quiet", CHART], &with_values[..]].concat()))?;
        rendered.push(known_objects(&name_of(&values), &render(&kubernetes, &with_values)?)?);
    }
    for (folder, values) in MANIFESTS {
        let path = Path::new(folder).join("arbiter.yaml");
        if fs::read_to_string(root().join(&path))? != manifest(&kubernetes, values)? {
            let path = path.display();
            return Err(Failure(format!("{path} is not what the chart makes; run cargo xtask manifests")));
        }
        let built = output(&mut kubernetes.kubectl(&["kustomize", folder]))?;
        rendered.push(known_objects(&format!("kustomize-{}", name_of(folder)), &built)?);
    }
    let job = fs::read_to_string(root().join("deploy/kubernetes/load-job.yaml"))?;
    rendered.push(known_objects("load-job", &job)?);
    validate(&kubernetes, &rendered)
}

/// Writes the manifests.
pub(crate) fn write_manifests() -> Result<(), Failure> {
    let kubernetes = kubernetes()?;
    for (folder, values) in MANIFESTS {
        let path = Path::new(folder).join("arbiter.yaml");
        fs::write(root().join(&path), manifest(&kubernetes, values)?)?;
        println!("    {}", path.display());
    }
    Ok(())
}

/// The files of values that the chart is checked with.
fn combinations() -> Result<Vec<String>, Failure> {
    let folder = format!("{CHART}/ci");
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join(&folder))? {
        files.push(format!("{folder}/{}", entry?.file_name().to_string_lossy()));
    }
    files.sort();
    if files.is_empty() { Err(Failure(format!("{folder} has no values"))) } else { Ok(files) }
}

fn render(kubernetes: &Kubernetes, options: &[&str]) -> Result<String, Failure> {
    output(&mut kubernetes.helm(&[&["template", RELEASE, CHART], options].concat()))
}

/// What is committed: without the labels that say that Helm looks after the objects, as then it does not.
fn manifest(kubernetes: &Kubernetes, values: &str) -> Result<String, Failure> {
    let rendered = render(kubernetes, &["--set", values])?;
    let is_helms = |line: &str| {
        let line = line.trim_start();
        ["app.kubernetes.io/managed-by:", "helm.sh/chart:", "# Source:"]
            .iter()
            .any(|own| line.starts_with(own))
    };
    let lines = rendered.lines().filter(|line| !line.is_empty() && !is_helms(line));
    Ok(lines.fold(HEAD.to_owned(), |text, line| text + line + "\n"))
}

/// A file with the objects that there are schemas of.
fn known_objects(name: &str, manifests: &str) -> Result<PathBuf, Failure> {
    let is_foreign = |object: &&str| {
        FOREIGN_KINDS.iter().any(|kind| object.lines().any(|line| line.strip_prefix("kind: ") == Some(kind)))
    };
    let objects: Vec<_> = manifests.split("---\n").filter(|object| object.contains("\nkind: ")).collect();
    let known: Vec<_> = objects.iter().copied().filter(|object| !is_foreign(object)).collect();
    if known.is_empty() {
        return Err(Failure(format!("{name} has no objects")));
    }
    let foreign = objects.len() - known.len();
    println!("    {name}: {} objects to validate, {foreign} of {FOREIGN_KINDS:?}", known.len());
    let file = rendered_directory()?.join(format!("{name}.yaml"));
    fs::write(&file, known.join("---\n"))?;
    Ok(file)
}

/// Compares every object with the schema of its kind; what the schema does not know is refused.
fn validate(kubernetes: &Kubernetes, files: &[PathBuf]) -> Result<(), Failure> {
    let versions = VERSIONS.iter().flat_map(|version| ["--kubernetes-version", version]);
    let mut validate = kubernetes.validate(&["--strict", "--quiet"]);
    let complaints = output(validate.args(versions).args(files))?;
    // A kind without a schema is no failure to it.
    if !complaints.is_empty() {
        return Err(Failure(complaints));
    }
    println!("    {} files are valid for Kubernetes {}", files.len(), VERSIONS.join(" and "));
    Ok(())
}

fn rendered_directory() -> Result<PathBuf, Failure> {
    let folder = root().join("target/rendered");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The last part of a path, without what follows its first dot.
fn name_of(path: &str) -> String {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// What a program prints.
fn output(command: &mut Command) -> Result<String, Failure> {
    let result = command.stderr(Stdio::inherit()).output().map_err(|error| cannot_start(command, &error))?;
    let printed = String::from_utf8_lossy(&result.stdout).into_owned();
    if result.status.success() {
        Ok(printed)
    } else {
        Err(Failure(format!("{command:?}: {}\n{printed}", result.status)))
    }
}
