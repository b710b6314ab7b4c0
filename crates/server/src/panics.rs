//! A panic is a fault of ours: it ends one answer, never the process.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use tonic::Status;

use crate::status;

/// Does some work; a panic becomes INTERNAL, and the log has it under the same id.
///
/// # Errors
/// The work panicked.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Status> {
    // What the work has left half done is dropped with it: handlers share no state.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let id = format!("{:016x}", fastrand::u64(..));
        tracing::error!(id, panic = text_of(&*panic), "a handler panicked");
        status::internal(&id)
    })
}

/// The same for work that waits.
///
/// # Errors
/// The work panicked.
pub async fn guard<F: Future>(work: F) -> Result<F::Output, Status> {
    let mut work = pin!(work);
    poll_fn(|context| match catch(|| work.as_mut().poll(context)) {
        Ok(poll) => poll.map(Ok),
        Err(status) => Poll::Ready(Err(status)),
    })
    .await
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        text
    } else {
        panic.downcast_ref::<String>().map_or("(not a text)", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use tonic::Code;
    use tonic_types::StatusExt as _;

    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_internal_with_an_id_of_its_own() {
        let mut ids = Vec::new();
        for _ in 0..2 {
            let status = guard(async {
                tokio::task::yield_now().await;
                panic!("a test panics on purpose");
            })
            .await
            .expect_err("the work panicked");
            assert_eq!(status.code(), Code::Internal);
            assert!(!status.message().contains("on purpose"), "the message tells what is inside");
            let info = status.get_details_error_info().expect("an ErrorInfo");
            assert_eq!((info.reason.as_str(), info.domain.as_str()), ("INTERNAL", "arbiter"));
            ids.push(info.metadata["id"].clone());
        }
        assert_ne!(ids[0], ids[1]);
    }

    #[tokio::test]
    async fn work_that_ends_well_is_left_alone() {
        assert_eq!(guard(async { 7 }).await.expect("no panic"), 7);
        assert_eq!(catch(|| 7).expect("no panic"), 7);
    }
}
