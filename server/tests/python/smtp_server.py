"""A mail server for tests. Prints its port and the file of its certificate, and
then a line of JSON for each message that it takes.

    smtp_server.py DIRECTORY starttls|tls|none [NUMBER] [CODE]

With `none` nobody authenticates; otherwise `accord` does, with `secret`. The
first NUMBER messages are answered with CODE.
"""

import asyncio
import datetime
import email
import email.policy
import ipaddress
import json
import ssl
import sys
from pathlib import Path

from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

directory, security = Path(sys.argv[1]), sys.argv[2]
refusals = int(sys.argv[3]) if len(sys.argv) > 3 else 0
code = sys.argv[4] if len(sys.argv) > 4 else "451"


def certificate():
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = directory / "smtp.pem"
    path.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    secret = directory / "smtp.key"
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path, secret


class Handler:
    async def handle_DATA(self, server, session, envelope):
        global refusals
        if refusals > 0:
            refusals -= 1
            return f"{code} not now"
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        taken = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "encrypted": server.transport.get_extra_info("ssl_object") is not None,
            "headers": {name.lower(): str(value) for name, value in message.items()},
            "text": message.get_body(("plain",)).get_content(),
            "html": message.get_body(("html",)).get_content(),
        }
        print(json.dumps(taken), flush=True)
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == (b"accord", b"secret"))


async def main():
    path, key = certificate()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path, key)

    def protocol():
        options = {}
        if security != "none":
            options |= {"auth_required": True, "authenticator": authenticate}
            options |= {"auth_require_tls": security == "starttls"}
        if security == "starttls":
            options |= {"tls_context": context, "require_starttls": True}
        return SMTP(Handler(), **options)

    loop = asyncio.get_running_loop()
    tls = context if security == "tls" else None
    server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=tls)
    print(server.sockets[0].getsockname()[1], path, flush=True)
    # Its end of the pipe is closed when the test is over, however it ends.
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
