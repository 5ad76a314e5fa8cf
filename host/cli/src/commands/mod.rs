//! One file per command.

pub(crate) mod agent;
pub(crate) mod audit;
pub(crate) mod comments;
pub(crate) mod completions;
mod convert;
pub(crate) mod customize;
pub(crate) mod demo;
pub(crate) mod directives;
pub(crate) mod doctor;
mod ending;
pub(crate) mod fleet;
pub(crate) mod init;
pub(crate) mod installed_by;
pub(crate) mod knowledge;
pub(crate) mod mcp;
pub(crate) mod package;
pub(crate) mod report;
mod residence;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod setup;
pub(crate) mod show;
pub(crate) mod spec_commit;
pub(crate) mod specification;
pub(crate) mod text;
pub(crate) mod tool;
pub(crate) mod update;
pub(crate) mod worker;
pub(crate) mod workflow;

use self::package::Package;
use crate::arguments::Arguments;
use crate::arguments::Command;
use crate::exit::{Code, Result};

/// Runs the command that was asked for.
pub(crate) fn execute(arguments: Arguments) -> Result<Code> {
    let json = arguments.json;
    match arguments.command {
        Command::Doctor(doctor) => doctor::execute(&doctor, json),
        Command::Itself(itself) => installed_by::execute(&itself, json),
        Command::Completions(completions) => completions::execute(&completions),
        Command::Manual => completions::manual(),
        Command::Demo(demo) => demo::execute(&demo, json),
        Command::Knowledge => knowledge::execute(json),
        Command::Setup(setup) => setup::execute(&setup, json),
        Command::Tool(tool) => tool::execute(tool, json),
        Command::Package(Package::Customize(customize)) => customize::execute(&customize, json),
        Command::Package(Package::Workflow(step)) => workflow::execute(&step, json),
        Command::Package(Package::Test(target)) => package::test(&target, json),
        Command::Package(Package::Fix(fix)) => customize::fix(&fix, json),
        Command::Package(Package::Show(show)) => show::execute(&show, json),
        Command::Package(Package::Convert(convert)) => convert::execute(&convert, json),
        Command::Package(Package::Init(init)) => init::execute(&init, json),
        Command::Package(Package::Update(update)) => update::execute(&update, json),
        Command::Package(Package::Generate(target)) => package::generate(&target, json),
        Command::Package(Package::Build(target)) => package::build(&target, json),
        Command::Fleet(fleet) => fleet::execute(&fleet, json),
        Command::Worker(worker) => worker::execute(&worker),
        Command::Run(run) => run::execute(&run, json),
        Command::Review(asked) => review::execute(&asked),
        Command::Agent(agent) => agent::execute(&agent, json),
        Command::Mcp(mcp) => mcp::execute(&mcp, json),
        Command::Audit(audit) => audit::execute(&audit, json),
    }
}
