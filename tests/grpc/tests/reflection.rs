//! Tools ask what the server has, in the two versions of the protocol.

use grpc_tests::Server;
use tonic_reflection::pb::{v1, v1alpha};

const SERVICES: [&str; 4] = [
    "arbiter.v1.ArbiterService",
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
];

macro_rules! describes_itself {
    ($test:ident, $version:ident, $own:expr) => {
        #[tokio::test]
        async fn $test() {
            use $version::server_reflection_client::ServerReflectionClient;
            use $version::server_reflection_request::MessageRequest;
            use $version::server_reflection_response::MessageResponse;

            let server = Server::start().await;
            let mut client = ServerReflectionClient::new(server.channel().await);
            let ask = |question| $version::ServerReflectionRequest {
                host: String::new(),
                message_request: Some(question),
            };
            let questions = [
                ask(MessageRequest::ListServices(String::new())),
                ask(MessageRequest::FileContainingSymbol("arbiter.v1.ArbiterService".to_owned())),
                ask(MessageRequest::FileContainingSymbol("grpc.health.v1.Health".to_owned())),
                ask(MessageRequest::FileContainingSymbol("arbiter.v1.ErrorReason".to_owned())),
            ];
            let stream = client.server_reflection_info(tokio_stream::iter(questions)).await.unwrap();
            let mut answers = stream.into_inner();

            let answer = answers.message().await.unwrap().expect("an answer").message_response;
            let Some(MessageResponse::ListServicesResponse(list)) = answer else { panic!("{answer:?}") };
            let mut names: Vec<_> = list.service.into_iter().map(|service| service.name).collect();
            names.sort();
            let expected: Vec<_> =
                SERVICES.iter().filter(|name| !name.contains("reflection") || **name == $own).collect();
            assert_eq!(names.iter().collect::<Vec<_>>(), expected);

            for _ in 1..4 {
                let answer = answers.message().await.unwrap().expect("an answer").message_response;
                let Some(MessageResponse::FileDescriptorResponse(files)) = answer else {
                    panic!("{answer:?}")
                };
                assert!(!files.file_descriptor_proto.is_empty());
            }
            assert!(answers.message().await.unwrap().is_none());
        }
    };
}

describes_itself!(v1_describes_everything, v1, "grpc.reflection.v1.ServerReflection");
describes_itself!(v1alpha_describes_everything, v1alpha, "grpc.reflection.v1alpha.ServerReflection");
