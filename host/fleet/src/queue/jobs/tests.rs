use super::*;
use crate::manifest::testing;
use crate::suite::{Bench, held_to_the_suite};
use crate::verdict::Verdict;

struct Directory {
    queue: Queue,
    _kept: tempfile::TempDir,
}

#[async_trait]
impl Bench for Directory {
    fn queue(&self) -> &dyn Jobs {
        &self.queue
    }

    fn manifest(&self) -> &Manifest {
        self.queue.manifest()
    }

    async fn verdict(&self, job: &Job) -> Option<Verdict> {
        self.queue.result(&job.key).unwrap().map(|result| result.verdict)
    }
}

async fn directory(jobs: usize) -> Option<Directory> {
    let kept = tempfile::tempdir().unwrap();
    let queue = Queue::create(&kept.path().join("fleet"), testing::manifest(jobs)).unwrap();
    Some(Directory { queue, _kept: kept })
}

held_to_the_suite!(directory);
