//! One file per command.

mod agent;
mod audit;
mod convert;
mod customize;
mod demo;
mod doctor;
mod init;
mod knowledge;
mod mcp;
mod package;
mod report;
mod run;
mod setup;
mod show;
mod text;
pub(crate) mod tool;
mod update;
mod workflow;

use crate::arguments::{Arguments, Command, Package};
use crate::exit::{Code, Result};

/// Runs the command that was asked for.
pub(crate) fn execute(arguments: Arguments) -> Result<Code> {
    let json = arguments.json;
    match arguments.command {
        Command::Doctor => doctor::execute(json),
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
        Command::Run(run) => run::execute(&run, json),
        Command::Agent(agent) => agent::execute(&agent, json),
        Command::Mcp(mcp) => mcp::execute(&mcp, json),
        Command::Audit(audit) => audit::execute(&audit, json),
    }
}
