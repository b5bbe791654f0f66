//! Client libraries of the conventions, as their users use them.

use accord_server::area::Area;

use super::client::Manager;
use crate::harness::{both_databases, tools};

both_databases! {
    async fn the_openai_package_for_python_works_unchanged(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let address = format!("{}/20231130/actions/v1", server.area(Area::Inference));
        let printed = tools::python("openai_sdk.py", &[&address, &key.one, &key.two]).await;
        assert_eq!(printed.trim().lines().last(), Some("all is well"));
    }

    async fn the_chat_model_of_langchain_works_unchanged(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let address = format!("{}/20231130/actions/v1", server.area(Area::Inference));
        let printed = tools::python("langchain_chat.py", &[&address, &key.one, &key.two]).await;
        assert_eq!(printed.trim().lines().last(), Some("all is well"));
    }

    async fn the_openai_package_for_node_works_unchanged(server: Server) {
        let key = Manager::of(&server).await.new_key().await;
        let address = format!("{}/20231130/actions/v1", server.area(Area::Inference));
        let printed = tools::node("openai_sdk.mjs", &[&address, &key.one, &key.two]).await;
        assert_eq!(printed.trim().lines().last(), Some("all is well"));
    }
}
