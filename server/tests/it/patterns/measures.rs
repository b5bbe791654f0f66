//! What `/metrics` says of patterns.

use reqwest::Method;

use super::{body_of, create, send, triage};
use crate::accounts::measures::assert_counted;
use crate::harness::both_databases;

both_databases! {
    async fn what_was_done_to_patterns_is_counted(server: Server) {
        body_of(create(&server, &triage()).await, 200).await;
        body_of(create(&server, &triage()).await, 409).await;
        let one = "/ORDER_TRIAGE%7C01.00.0000";
        body_of(send(&server, Method::GET, one).await, 200).await;
        body_of(send(&server, Method::GET, "").await, 200).await;
        assert_eq!(send(&server, Method::DELETE, one).await.status(), 200);
        body_of(send(&server, Method::GET, one).await, 404).await;
        let figures = server.get("/metrics").await.text().await.unwrap();
        for line in [
            "accord_patterns_total{change=\"created\"} 1",
            "accord_patterns_total{change=\"deleted\"} 1",
        ] {
            assert!(figures.contains(line), "{line} is missing:\n{figures}");
        }
        for (operation, status, number) in [
            ("createPatternFromAccelerator", 200, 1),
            ("createPatternFromAccelerator", 409, 1),
            ("getPattern", 200, 1),
            ("getPattern", 404, 1),
            ("listPatterns", 200, 1),
            ("deletePattern", 200, 1),
        ] {
            assert_counted(&figures, operation, status, number);
        }
    }
}
