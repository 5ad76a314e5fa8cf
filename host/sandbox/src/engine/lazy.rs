//! Components that are listed without being loaded, and loaded by the first call of one of their tools.

use super::{Contract, Examined, Sandbox};
use crate::cache::CompileCache;
use crate::capabilities::Capabilities;
use crate::code::Code;
use crate::description::Known;
use crate::error::LoadError;
use crate::prepared::PreparedComponent;
use crate::schema::Schema;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is run when a tool is called.
#[derive(Clone)]
pub(crate) enum Program {
    /// It is ready.
    Ready(PreparedComponent),
    /// It is made ready when it is called.
    Lazy {
        /// The component.
        component: Arc<LazyComponent>,
        /// Which of its prepared components: a component without a contract has one for each function.
        which: usize,
    },
}

/// A component that was described from what was kept of it, or that can be had again.
pub(crate) struct LazyComponent {
    code: Code,
    contract: Contract,
    capabilities: Capabilities,
    /// What it was listed as.
    known: Known,
    /// One caller makes it ready, the others wait.
    making: tokio::sync::Mutex<()>,
    made: Mutex<Option<Made>>,
}

/// What is called, and when it was last.
struct Made {
    all_prepared: Vec<PreparedComponent>,
    used: Instant,
}

impl LazyComponent {
    pub(super) fn new(code: Code, contract: Contract, capabilities: Capabilities, known: Known) -> Self {
        Self { code, contract, capabilities, known, making: tokio::sync::Mutex::new(()), made: Mutex::new(None) }
    }

    /// With what it was loaded as.
    pub(super) fn made(self, all_prepared: Vec<PreparedComponent>) -> Self {
        self.put(all_prepared);
        self
    }

    pub(super) fn known(&self) -> &Known {
        &self.known
    }

    pub(super) fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// What is called, if it is ready.
    fn prepared(&self, which: usize) -> Option<PreparedComponent> {
        let mut made = self.lock();
        let made = made.as_mut()?;
        made.used = Instant::now();
        made.all_prepared.get(which).cloned()
    }

    fn put(&self, all_prepared: Vec<PreparedComponent>) {
        *self.lock() = Some(Made { all_prepared, used: Instant::now() });
    }

    /// Drops what was not called for this long. A call that runs keeps what it needs.
    fn unload_unused(&self, unused: Duration) -> bool {
        let mut made = self.lock();
        let idle = made.as_ref().is_some_and(|made| made.used.elapsed() >= unused);
        let dropped = if idle { made.take() } else { None };
        drop(made);
        dropped.is_some()
    }

    /// What is behind it is replaced whole.
    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sandbox {
    /// A component of which a description of this contract is kept.
    pub(super) fn known(&self, code: &Code, capabilities: impl Fn(Contract) -> Capabilities) -> Option<LazyComponent> {
        let known = Known::of(self.compilers.cache(), &self.engine, &code.digest())?;
        let contract = Contract::of(&known.said);
        Some(LazyComponent::new(code.clone(), contract, capabilities(contract), known))
    }

    /// What is called: made ready if it is not.
    pub(super) async fn ready(&self, program: &Program) -> Result<PreparedComponent, LoadError> {
        let (component, which) = match program {
            Program::Ready(prepared) => return Ok(prepared.clone()),
            Program::Lazy { component, which } => (component, *which),
        };
        if let Some(prepared) = component.prepared(which) {
            return Ok(prepared);
        }
        let _alone = component.making.lock().await;
        if let Some(prepared) = component.prepared(which) {
            return Ok(prepared);
        }
        let compiled = self.compilers.compile(&component.code).await?;
        let Examined { all_prepared, known } =
            self.examine(component.contract, compiled, &component.capabilities).await?;
        if known != component.known {
            // The next listing tells the truth, if it can be listed.
            let program = |which| Program::Lazy { component: component.clone(), which };
            if self.described(&known, &program, Schema::new).is_ok() {
                known.keep(self.compilers.cache(), &self.engine);
            }
            return Err(LoadError::Undescribed("it says other things of itself than it was listed with".into()));
        }
        let prepared = all_prepared.get(which).cloned();
        component.put(all_prepared);
        self.loaded_components.remember(component);
        prepared.ok_or_else(|| LoadError::Undescribed("it has fewer functions than it was listed with".into()))
    }

    /// Gives back the code of components that can be had again and of which no tool was called for so long. The next call
    /// takes it from the cache. Returns how many there were.
    pub fn unload_unused(&self, unused: Duration) -> usize {
        // Where nothing is kept, it would have to be compiled again.
        if matches!(self.compilers.cache(), CompileCache::Off) {
            return 0;
        }
        let ready = self.loaded_components.all();
        ready.iter().filter(|component| component.code.is_kept() && component.unload_unused(unused)).count()
    }
}

/// Those that were made ready.
#[derive(Default)]
pub(super) struct LoadedComponents(Mutex<Vec<std::sync::Weak<LazyComponent>>>);

impl LoadedComponents {
    pub(super) fn remember(&self, component: &Arc<LazyComponent>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| one.strong_count() > 0 && !std::ptr::eq(one.as_ptr(), Arc::as_ptr(component)));
        all.push(Arc::downgrade(component));
    }

    fn all(&self) -> Vec<Arc<LazyComponent>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter_map(std::sync::Weak::upgrade).collect()
    }
}
