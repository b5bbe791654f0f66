"""Signs an assertion with the `signxml` package, as a provider's own code would.

Arguments: the file of the assertion, the file of the private key.
"""

import sys

from lxml import etree
from signxml import CanonicalizationMethod, SignatureMethod, XMLSigner, methods

assertion, key = sys.argv[1:]
root = etree.parse(assertion).getroot()
signer = XMLSigner(
    method=methods.enveloped,
    signature_algorithm=SignatureMethod.RSA_SHA256,
    digest_algorithm="sha256",
    c14n_algorithm=CanonicalizationMethod.EXCLUSIVE_XML_CANONICALIZATION_1_0,
)
with open(key, "rb") as file:
    signed = signer.sign(root, key=file.read(), reference_uri=root.get("ID"))
print(etree.tostring(signed).decode())
