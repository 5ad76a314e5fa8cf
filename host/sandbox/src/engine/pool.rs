//! The pool that instances take their memory from.

use wasmtime::{Config, Enabled, InstanceAllocationStrategy, PoolingAllocationConfig};

use super::{Allocation, KEEP_RESIDENT, KEEP_RESIDENT_BLIND, SandboxConfig};
use crate::compile;
use crate::error::SandboxError;

/// Refuses what could never work, or would let one call take another's place.
pub(super) fn possible(config: &SandboxConfig) -> Result<(), SandboxError> {
    let impossible = |reason: String| Err(SandboxError::Impossible(reason));
    if config.workers == 0 || config.most_stuck == 0 || config.load.at_once == 0 || config.load.most_stuck == 0 {
        return impossible("it needs workers, compilers, and room for one of each to hang".into());
    }
    // A call that hangs keeps its instance.
    let needed = config.workers.saturating_add(config.most_stuck);
    match config.allocation {
        Allocation::Pooled { slots } if (slots as usize) < needed => {
            impossible(format!("{slots} slots are fewer than {needed}, the calls that run and the calls that may hang"))
        }
        Allocation::Pooled { .. } | Allocation::OnDemand => Ok(()),
    }
}

/// How the engine makes instances: with the memory of a pool, or each with its own.
pub(super) fn engine_config(config: &SandboxConfig) -> Config {
    let mut engine = compile::engine_config();
    if let Allocation::Pooled { slots } = config.allocation {
        let mut pool = PoolingAllocationConfig::new();
        pool.total_component_instances(slots);
        // As many as every slot can need, so that no component can take what another call was promised.
        pool.max_core_instances_per_component(config.load.instances);
        pool.max_memories_per_component(config.load.memories);
        pool.max_tables_per_component(config.load.tables);
        pool.total_core_instances(slots.saturating_mul(config.load.instances));
        pool.total_memories(slots.saturating_mul(config.load.memories));
        pool.total_tables(slots.saturating_mul(config.load.tables));
        pool.max_memory_size(config.largest_memory);
        // Guests run on the stack of their worker. Each of a thousand others would be a mapping to set up at every start.
        pool.total_stacks(0);
        let seen = PoolingAllocationConfig::is_pagemap_scan_available();
        pool.linear_memory_keep_resident(if seen { KEEP_RESIDENT } else { KEEP_RESIDENT_BLIND });
        pool.table_keep_resident(64 * 1024);
        pool.pagemap_scan(Enabled::Auto);
        engine.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    }
    engine
}
