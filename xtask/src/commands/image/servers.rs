//! The servers that the program of an image has to find by their names. They run until this process
//! ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};

use anyhow::Context;

/// An address of this machine that no resolver uses.
const ADDRESS: &str = "127.0.0.87";

/// Starts a model server, and returns its port.
pub(super) fn model() -> anyhow::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // The client notices a failure.
            let _ = complete(stream);
        }
    });
    Ok(port)
}

/// Responds to a request of a chat.
fn complete(mut stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        let line = line.to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    reader.take(length).read_to_end(&mut Vec::new())?;
    let body = r#"{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[]}"#;
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Starts a name server that knows one name: that of this machine. Returns the text of a
/// `resolv.conf` with its address.
pub(super) fn dns(name: &'static str) -> anyhow::Result<String> {
    let socket = UdpSocket::bind((ADDRESS, 53))
        .with_context(|| format!("cannot serve DNS on {ADDRESS}, port 53"))?;
    std::thread::spawn(move || {
        let mut query = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut query) {
            if let Some(response) = resolve(&query[..length], name) {
                let _ = socket.send_to(&response, client);
            }
        }
    });
    Ok(format!("nameserver {ADDRESS}\n"))
}

/// The response to a query (RFC 1035, section 4): 127.0.0.1 for the address (type A) of `name`, and
/// nothing for others.
fn resolve(query: &[u8], name: &str) -> Option<Vec<u8>> {
    let (id, questions) = (query.get(..2)?, query.get(12..)?);
    // The labels, the type and the class. Other records follow.
    let end = questions.iter().position(|byte| *byte == 0)? + 5;
    let question = questions.get(..end)?;
    let mut expected = Vec::new();
    for label in name.split('.') {
        expected.push(u8::try_from(label.len()).ok()?);
        expected.extend(label.as_bytes());
    }
    expected.extend([0, 0, 1, 0, 1]);
    let is_known = question.eq_ignore_ascii_case(&expected);
    // A response with recursion, one question, and the record if there is one.
    let counts = [0, 1, 0, u8::from(is_known), 0, 0, 0, 0];
    let mut response = [id, &[0x81, 0x80], &counts, question].concat();
    if is_known {
        // The name of the question, type A, class IN, 60 seconds, four bytes.
        response.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
    }
    Some(response)
}
