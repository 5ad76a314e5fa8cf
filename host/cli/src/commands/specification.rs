//! `package customize` without a package: the specification alone, with an answer that says that nothing was built.

use super::customize::Customize;
use super::ending::{self, Beside, Rows, code_of_plan, kept, planned, settled, show};
use super::{comments, package};
use crate::conversation::Conversation;
use crate::exit::{Code, Error, Result};
use crate::runtime;
use bailiwick_customize::comments::{End, Review};
use bailiwick_customize::directives::{AskedDirective, Language};
use bailiwick_customize::driver::{Customizer, Planner, Reviewed, SpecificationRequest};
use bailiwick_customize::machine::EditScope;
use bailiwick_customize::plan::Plan;
use bailiwick_customize::response::SpecificationResponse;
use bailiwick_customize::typespec::{Residents, Stay};

/// What the options ask for, read.
pub(super) struct Asked {
    pub(super) scope: EditScope,
    pub(super) directives: Vec<AskedDirective>,
    pub(super) languages: Vec<Language>,
}

pub(super) fn execute(customize: &Customize, asked: Asked, as_json: bool) -> Result<Code> {
    refuse_what_is_about_a_package(customize, asked.scope)?;
    if asked.languages.is_empty() {
        return Err(Error::usage("without `--package-path` no language is the package's, and `--scope` names none")
            .hint("name the languages whose clients may change, for example `--scope python,csharp`"));
    }
    let review = customize.comments.as_deref().map(comments::review).transpose()?;
    let text = match &review {
        Some(review) => format!("the {} comments of a review", review.comments.len()),
        None => customize.words(&asked.directives)?,
    };
    let request = SpecificationRequest {
        project: customize.typespec_project_path.clone().unwrap_or_default(),
        directives: asked.directives,
        languages: asked.languages,
        classified: None,
        text,
    }
    .with_scopes();
    // Before a state directory, a toolchain or a process: input that cannot be used starts nothing.
    let project = request.validate().map_err(|error| package::failure(&error))?;
    let (conversation, money) =
        customize.agents.conversation(&[("project", &project.directory), ("specs", &project.root)])?;
    let work = Work { customize, conversation, money };
    match review {
        Some(review) => work.answer(request, &review, as_json),
        None if customize.dry_run => work.plan(&request, as_json),
        None => work.perform(&request, as_json),
    }
}

fn refuse_what_is_about_a_package(customize: &Customize, scope: EditScope) -> Result<()> {
    if scope != EditScope::SpecInputs {
        return Err(Error::usage(format!(
            "the edit scope `{scope}` needs a package, and no `--package-path` is given"
        ))
        .hint("name the package, or edit the specification alone with `--edit-scope SpecInputs`"));
    }
    let given = [
        ("--keep-partial", customize.keep_partial, "keeps what a package does not build with"),
        ("--keep-on-failure", customize.agents.keep_on_failure, "keeps what a package does not build with"),
        ("--spec-commit", customize.at.spec_commit.is_some(), "is about the commit of a package"),
    ];
    match given.iter().find(|(_, given, _)| *given) {
        Some((option, _, what)) => Err(Error::usage(format!("`{option}` {what}, and no `--package-path` is given"))
            .hint(format!("leave `{option}` out, or name the package"))),
        None => Ok(()),
    }
}

struct Work<'a> {
    customize: &'a Customize,
    conversation: Conversation,
    money: Option<u64>,
}

impl Work<'_> {
    fn plan(self, request: &SpecificationRequest, as_json: bool) -> Result<Code> {
        let planner = self.planner()?;
        let plan = kept(&self.conversation, planned(planner.plan_specification(request))?)?;
        show(&plan, Plan::format, as_json);
        Ok(code_of_plan(&plan))
    }

    fn perform(self, request: &SpecificationRequest, as_json: bool) -> Result<Code> {
        let response = runtime::block_on(self.run(request))??;
        show(&response, SpecificationResponse::format, as_json);
        Ok(code_of(&response))
    }

    /// Reads every comment, and carries out all that is certain in one run unless only the plan is wanted.
    fn answer(self, request: SpecificationRequest, review: &Review, as_json: bool) -> Result<Code> {
        let planner = self.planner()?;
        let reviewed = match planned(planner.review_specification(&request, review))? {
            Ok(reviewed) => reviewed,
            failed => kept(&self.conversation, failed)?,
        };
        let Reviewed { ledger, language, plan, classification } = reviewed;
        if self.customize.dry_run || classification.items.is_empty() {
            self.conversation.finish()?;
            Rows { ledger: &ledger, beside: Beside::Plan(&plan) }.show(as_json);
            return Ok(code_of_plan(&plan));
        }
        let request = SpecificationRequest { classified: Some(classification), ..request };
        let response = runtime::block_on(self.run(&request))??;
        let ledger = ledger.after(language, &End::from(&response));
        Rows { ledger: &ledger, beside: Beside::Specification(&response) }.show(as_json);
        let open = ledger.comments.iter().any(|row| !row.guidance.is_empty());
        Ok(if open { Code::NoSuccess } else { code_of(&response) })
    }

    fn planner(&self) -> Result<Planner> {
        let planner = package::planner(self.customize.unconfined_builds, self.conversation.backend(), self.money)?;
        Ok(Planner { residents: self.residents(), ..planner })
    }

    fn residents(&self) -> Residents {
        self.customize.agents.residence.residents(Stay::Never)
    }

    /// Runs to the end, or puts the specification back when a person interrupts.
    async fn run(&self, request: &SpecificationRequest) -> Result<SpecificationResponse> {
        let equipped = ending::customizer(self.customize.unconfined_builds, &self.conversation, self.money).await?;
        let customizer = Customizer { residents: self.residents(), ..equipped };
        let outcome = customizer.customize_specification_until(request, runtime::interrupted()).await;
        let as_before = "the specification is as before";
        settled(&customizer, &self.conversation, outcome, |response| Some(response.run_id.as_str()), as_before).await
    }
}

fn code_of(response: &SpecificationResponse) -> Code {
    if response.outcome.is_complete() { Code::Done } else { Code::NoSuccess }
}
