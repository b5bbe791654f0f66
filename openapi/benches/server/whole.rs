//! A whole request, from its first byte to the last of its answer, over one
//! connection to a server in this very program: for counting.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use bytes::Bytes;

use crate::closed_loop::Request;
use crate::data;

/// The operations, each by its request and answer.
pub const OPERATIONS: [&str; 2] = ["createUser", "listOrganizations"];

/// Asks a server for an operation so many times; both run on one thread each, so
/// that nothing is left to chance.
pub fn repeat(server: &'static str, operation: &str, times: u64) {
    let address = free_address();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(crate::serve(server, &address.to_string()));
    });
    let (request, answer) = match operation {
        "createUser" => data::create(),
        _ => data::list(),
    };
    let request = text(&request);
    let mut connection = connect(address);
    let mut buffer = vec![0; 1 << 16];
    // Answers differ in their date and request's id, which keep their length.
    let mut length = 0;
    for _ in 0..times {
        connection.write_all(&request).expect("it is sent");
        if length == 0 {
            length = whole(&mut connection, &mut buffer, &answer);
            continue;
        }
        connection
            .read_exact(&mut buffer[..length])
            .expect("an answer");
        assert!(buffer[..length].ends_with(&answer));
    }
}

/// Reads until the answer is there; how long it is with its head.
fn whole(connection: &mut TcpStream, buffer: &mut [u8], answer: &Bytes) -> usize {
    let mut length = 0;
    while !buffer[..length].ends_with(answer) {
        let read = connection.read(&mut buffer[length..]).expect("an answer");
        assert!(read > 0, "another answer than expected");
        length += read;
    }
    length
}

fn text(request: &Request) -> Vec<u8> {
    let (method, path) = (&request.method, &request.path);
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
    if let Some(value) = &request.authorization {
        head += &format!("authorization: {value}\r\n");
    }
    if let Some(value) = request.content_type {
        let length = request.body.len();
        head += &format!("content-type: {value}\r\ncontent-length: {length}\r\n");
    }
    [head.as_bytes(), b"\r\n", &request.body].concat()
}

fn free_address() -> SocketAddr {
    let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
    free.local_addr().expect("an address")
}

fn connect(address: SocketAddr) -> TcpStream {
    let began = Instant::now();
    loop {
        if let Ok(connection) = TcpStream::connect(address) {
            return connection;
        }
        assert!(began.elapsed().as_secs() < 60, "nobody listens");
        std::thread::sleep(Duration::from_millis(20));
    }
}
