//! Who works on what, and when: pure arithmetic over durations.

use std::cmp::Ordering;

use crate::manifest::Job;

/// What a package is taken to need where nothing is known of any, in seconds.
const UNKNOWN: f64 = 120.0;

/// How long each job is taken to need: what was recorded, and the median of that for those of which nothing is.
fn expected<'a>(jobs: impl IntoIterator<Item = &'a Job>) -> Vec<f64> {
    let known: Vec<Option<f64>> = jobs.into_iter().map(|job| job.expected.filter(|one| one.is_finite())).collect();
    let mut sorted: Vec<f64> = known.iter().flatten().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(UNKNOWN);
    known.into_iter().map(|one| one.unwrap_or(median)).collect()
}

/// The jobs, longest first: then the last one to end is short, and the end is at most the mean and the longest job away.
#[must_use]
pub fn longest_first(jobs: &[Job]) -> Vec<&Job> {
    let durations = expected(jobs);
    let mut order: Vec<(&Job, f64)> = jobs.iter().zip(durations).collect();
    order.sort_by(|(one, first), (other, second)| longer(*first, *second).then_with(|| one.name().cmp(&other.name())));
    order.into_iter().map(|(job, _)| job).collect()
}

fn longer(first: f64, second: f64) -> Ordering {
    second.total_cmp(&first)
}

/// The jobs in `count` parts that take about as long as one another: each goes, longest first, to the part that has least.
/// The same jobs always give the same parts.
#[must_use]
pub fn shards(jobs: &[Job], count: usize) -> Vec<(Vec<&Job>, f64)> {
    let mut parts: Vec<(Vec<&Job>, f64)> = vec![(Vec::new(), 0.0); count.max(1)];
    let order = longest_first(jobs);
    let durations = expected(order.iter().copied());
    for (job, seconds) in order.into_iter().zip(durations) {
        let least = parts.iter_mut().min_by(|(_, one), (_, other)| one.total_cmp(other));
        if let Some((part, total)) = least {
            part.push(job);
            *total += seconds;
        }
    }
    parts
}

/// When the last of these jobs ends if each of `workers` takes the next one as soon as it is free.
#[must_use]
pub fn makespan(durations: &[f64], workers: usize) -> f64 {
    let mut free = vec![0.0_f64; workers.max(1)];
    for seconds in durations {
        if let Some(first) = free.iter_mut().min_by(|one, other| one.total_cmp(other)) {
            *first += seconds;
        }
    }
    free.into_iter().fold(0.0, f64::max)
}

/// How many jobs to do at once: no more than there are processors, nor than have room in memory.
#[must_use]
pub fn workers(processors: usize, memory_bytes: u64, job_bytes: u64) -> usize {
    let room = usize::try_from(memory_bytes / job_bytes.max(1)).unwrap_or(usize::MAX);
    processors.min(room).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::testing;
    use proptest::prelude::*;

    #[test]
    fn longest_job_comes_first_and_unknown_ones_count_as_the_median() {
        let jobs: Vec<Job> = [("a", Some(5.0)), ("b", None), ("c", Some(90.0)), ("d", Some(30.0)), ("e", Some(30.0))]
            .map(|(name, seconds)| testing::job(name, seconds))
            .into();
        let order: Vec<_> = longest_first(&jobs).iter().map(|job| job.package.clone()).collect();
        assert_eq!(order, ["sdk/c", "sdk/b", "sdk/d", "sdk/e", "sdk/a"]);
    }

    #[test]
    fn workers_are_bounded_by_processors_and_by_memory() {
        assert_eq!(workers(8, 16 << 30, 4 << 30), 4);
        assert_eq!(workers(2, 64 << 30, 4 << 30), 2);
        assert_eq!(workers(8, 1 << 30, 4 << 30), 1);
    }

    /// 300 packages as services have them: many small ones, a few very long ones that share a prefix.
    fn fleet() -> Vec<Job> {
        let mut state = 7_u64;
        (0..300)
            .map(|number: u32| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let random = u32::try_from(state >> 40).unwrap();
                let long = if (120..150).contains(&number) { 400.0 } else { 60.0 };
                testing::job(&format!("p{number:03}"), Some(long + f64::from(random % 1000) / 1000.0 * long))
            })
            .collect()
    }

    #[test]
    fn ten_machines_end_no_later_than_the_mean_and_the_longest_job_and_well_before_an_alphabetical_split() {
        let jobs = fleet();
        let durations: Vec<f64> = longest_first(&jobs).iter().filter_map(|job| job.expected).collect();
        let (sum, longest) = (durations.iter().sum::<f64>(), durations[0]);
        let pulled = makespan(&durations, 10);
        assert!(pulled <= sum / 10.0 + longest, "{pulled} after {}", sum / 10.0 + longest);
        let balanced = shards(&jobs, 10).iter().map(|(_, total)| *total).fold(0.0, f64::max);
        assert!(balanced <= sum / 10.0 + longest);
        let alphabetical =
            jobs.chunks(30).map(|part| part.iter().filter_map(|job| job.expected).sum::<f64>()).fold(0.0, f64::max);
        assert!(alphabetical > 2.0 * pulled, "alphabetical {alphabetical}, pulled {pulled}");
        assert!(alphabetical > 2.0 * balanced, "alphabetical {alphabetical}, balanced {balanced}");
    }

    proptest! {
        #[test]
        fn end_is_never_later_than_the_mean_and_the_longest(
            durations in prop::collection::vec(0.0_f64..10_000.0, 0..80), workers in 1_usize..12,
        ) {
            let longest = durations.iter().copied().fold(0.0, f64::max);
            let mean = durations.iter().sum::<f64>() / f64::from(u32::try_from(workers).unwrap());
            prop_assert!(makespan(&durations, workers) <= mean + longest + 1e-6);
        }

        #[test]
        fn every_job_is_in_one_shard(jobs in 0_usize..60, count in 1_usize..12) {
            let jobs = testing::manifest(jobs).jobs;
            let mut found: Vec<_> = shards(&jobs, count).into_iter().flat_map(|(part, _)| part).map(|job| &job.key).collect();
            found.sort();
            let mut all: Vec<_> = jobs.iter().map(|job| &job.key).collect();
            all.sort();
            prop_assert_eq!(found, all);
        }
    }
}
