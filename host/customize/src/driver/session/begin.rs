//! How a run begins, and how one that was suspended goes on.

use std::collections::BTreeMap;

use bailiwick_base::files::{Waits, waits_of};
use bailiwick_base::timeline::{By, Timeline};
use bailiwick_runs::{BeginRun, Coverage, RootSpec, Run};
use bailiwick_sdk::tasks::SpecIndex;
use serde_json::{Value, json};

use super::tools::Surroundings;
use super::{Builders, Coverages, Goal, Session};
use crate::driver::proof::Witness;
use crate::driver::roots::{CLIENT_FILE, SDK, SPEC, plain_content};
use crate::driver::work::{fresh_work, transcript};
use crate::driver::{CustomizeError, Customizer, Prepared};
use crate::knowledge::Reference;
use crate::language::{Asking, Checks, Needs};
use crate::recorded::Recorded;
use crate::typespec::head_commit;

/// In the details of a run: the commit at which the SDK repository stood when it began.
const RECORDED: &str = "sdkCommit";

impl<'a> Session<'a> {
    /// Installs what is missing, locks both sides and keeps their before-images.
    pub(in crate::driver) async fn begin(
        customizer: &'a Customizer,
        goal: Goal<'_>,
        prepared: Prepared,
        builders: Builders,
    ) -> Result<Self, CustomizeError> {
        let timeline = Timeline::begin();
        // Read now, before any agent edits, whenever it is fetched.
        let asked = prepared.language.requirements(asking(&|name| text_of(&prepared, name)), Needs::Build);
        let mut surroundings = Surroundings::of(customizer, &prepared.project, asked, timeline.clone()).await?;
        if builders == Builders::AtOnce {
            surroundings.complete(customizer, &prepared).await?;
        }
        let Prepared { project, language, configuration } = prepared;
        // Before any child runs: the commit whose word holds for the whole run.
        let recorded = Recorded::at_head(&project.sdk_root, &project.package);
        let mut details = json!({ "language": language.language(), "model": customizer.backend.name() });
        if let (Some(own), Value::Object(more)) = (details.as_object_mut(), goal.details) {
            own.extend(more);
            if let Some(commit) = recorded.commit() {
                own.insert(RECORDED.into(), json!(commit));
            }
            if project.detached {
                own.insert("specificationCommit".into(), json!(head_commit(&project.spec_root)));
            }
        }
        let mut roots = vec![RootSpec {
            name: SDK.into(),
            directory: project.package.clone(),
            coverage: Coverage::Tree { skip: Vec::new(), skip_at_root: vec![".git".into()] },
        }];
        // A detached specification is only read, and is gone when the run is looked at.
        if !project.detached {
            roots.push(RootSpec {
                name: SPEC.into(),
                directory: project.directory.clone(),
                coverage: match goal.coverages {
                    Coverages::ClientFile => Coverage::Files(vec![CLIENT_FILE.into()]),
                    Coverages::WholeProject => Coverage::Tree {
                        skip: ["node_modules", "tsp-output"].map(String::from).to_vec(),
                        skip_at_root: vec![".git".into()],
                    },
                },
            });
        }
        let keeping = timeline.span("before-images", By::Host);
        let begin = BeginRun { kind: goal.kind.name().into(), request: goal.request.to_owned(), details, roots };
        let (run, waits) = waits_of(|| customizer.store.begin(begin));
        drop(keeping);
        let prepared = Prepared { project, language, configuration };
        let session = Self { waits, ..Self::with_run(customizer, prepared, run?, surroundings)? };
        Ok(session.held_to(&recorded))
    }

    /// Goes on with a run that was suspended. Nothing of its before-images changes.
    pub(in crate::driver) async fn resume(
        customizer: &'a Customizer,
        run: Run,
        prepared: Prepared,
        index_before: SpecIndex,
    ) -> Result<Self, CustomizeError> {
        let timeline = Timeline::begin();
        // The state from the beginning of the run: later edits must not decide what is fetched.
        let before = |name: &str| run.before(SDK, name).ok().flatten();
        let text = |name: &str| before(name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let asked = prepared.language.requirements(asking(&text), Needs::Build);
        let mut surroundings = Surroundings::of(customizer, &prepared.project, asked, timeline).await?;
        surroundings.complete(customizer, &prepared).await?;
        let mut session = Self::with_run(customizer, prepared, run, surroundings)?;
        session.index = index_before.clone();
        session.index_before = index_before;
        // What the calling agent committed meanwhile decides nothing.
        let details = customizer.store.record(session.run.id())?.details;
        let project = &session.project;
        let commit = details[RECORDED].as_str().map(str::to_owned);
        let recorded = Recorded::at(&project.sdk_root, &project.package, commit);
        Ok(session.held_to(&recorded))
    }

    /// With what the recorded commit says about the checks of the package.
    fn held_to(self, recorded: &Recorded) -> Self {
        let checks = self.language.checks(recorded);
        if let Some(unknown) = &checks.unknown {
            self.customizer.progress.say(unknown);
        }
        Self { checks, ..self }
    }

    fn with_run(
        customizer: &'a Customizer,
        prepared: Prepared,
        run: Run,
        Surroundings { tools, unbuilt, children }: Surroundings,
    ) -> Result<Self, CustomizeError> {
        let Prepared { project, language, configuration } = prepared;
        customizer.progress.began(run.id());
        let work = fresh_work(&run)?;
        let transcript = transcript(customizer, &run)?;
        Ok(Self {
            customizer,
            project,
            language,
            checks: Checks::default(),
            configuration,
            tools,
            unbuilt,
            children,
            run,
            work,
            transcript,
            reference: Reference::embedded(),
            index_before: SpecIndex::default(),
            index: SpecIndex::default(),
            indexed: None,
            witness: Witness::default(),
            stages: 0,
            attempt: None,
            first: None,
            directed: None,
            languages: Vec::new(),
            plan_shown: false,
            carried: BTreeMap::new(),
            generated_with: Vec::new(),
            earlier_renames: Vec::new(),
            shown_renames: Vec::new(),
            baseline: None,
            old_errors_count: false,
            waits: Waits::default(),
        })
    }
}

/// What a build asks for stands in the package alone.
fn asking(file: &dyn Fn(&str) -> Option<String>) -> Asking<'_> {
    Asking { file, around: None }
}

/// The text of a plain file of a package.
fn text_of(prepared: &Prepared, name: &str) -> Option<String> {
    let content = plain_content(&prepared.project.package, name).ok().flatten()?;
    Some(String::from_utf8_lossy(&content).into_owned())
}
