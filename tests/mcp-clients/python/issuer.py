"""A STAND-IN for an OAuth authorization server, for tests: one on loopback, over PyJWT, that gives a token to one known
client and signs whatever a test asks it to sign. Nothing of it is fit for anything but tests.

Prints its address. Each first part of a path is an issuer of its own:
  /good        tells its metadata and keys, and has a token endpoint (client credentials)
  /oidc        the same, told by OpenID Connect Discovery only
  /other       tells metadata of another issuer
  /slow        never answers
  /huge        never stops answering
  /redirect    sends everybody to /good
  /broken      answers what is no JSON
  /plain       has its keys at a place without TLS
POST /mint takes what a token is to be, as JSON, and answers the token.
"""

import base64
import hashlib
import hmac
import json
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

KEYS = {
    "rsa": ("RS256", rsa.generate_private_key(public_exponent=65537, key_size=2048)),
    "pss": ("PS256", rsa.generate_private_key(public_exponent=65537, key_size=2048)),
    "ec": ("ES256", ec.generate_private_key(ec.SECP256R1())),
    "ec384": ("ES384", ec.generate_private_key(ec.SECP384R1())),
    "ed": ("EdDSA", ed25519.Ed25519PrivateKey.generate()),
    # Too short to be believed.
    "short": ("RS256", rsa.generate_private_key(public_exponent=65537, key_size=1024)),
}
# The same name and kind as one of the issuer's, and somebody else's.
STOLEN = {"rsa": rsa.generate_private_key(public_exponent=65537, key_size=2048)}
CLIENT, SECRET = "machine", "a-secret-of-a-test"
asked = []


def public(name, key):
    algorithm, private = key
    written = json.loads(jwt.get_algorithm_by_name(algorithm).to_jwk(private.public_key()))
    return written | {"kid": name, "use": "sig", "alg": algorithm}


def pem(private):
    return private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def minted(issuer, given):
    """A token: claims and header as asked, over usual ones; a member that is null is left out."""
    now = int(time.time())
    claims = {"iss": issuer, "sub": "somebody", "client_id": CLIENT, "iat": now, "exp": now + 300, "jti": "1"}
    claims |= given.get("claims", {})
    for moved in ("exp", "nbf", "iat"):
        if isinstance(claims.get(moved), str) and claims[moved][:1] in "+-":
            claims[moved] = now + int(claims[moved])
    claims = {name: value for name, value in claims.items() if value is not None}
    name = given.get("key", "ec")
    header = {"typ": "at+jwt", "kid": name} | given.get("header", {})
    header = {member: value for member, value in header.items() if value is not None}
    how = given.get("how", "signed")
    # Below the level of claims, which PyJWT would hold against the standard.
    body = json.dumps(claims).encode()
    if how == "signed":
        algorithm, private = KEYS[name]
        return jwt.api_jws.encode(body, private, algorithm=algorithm, headers=header)
    if how == "stolen":
        return jwt.api_jws.encode(body, STOLEN[name], algorithm=KEYS[name][0], headers=header)
    body = encoded(body)
    if how == "unsigned":
        return b".".join([encoded(json.dumps({"alg": "none"} | header).encode()), body, b""]).decode()
    # The public key as if it were a secret that both sides share.
    text = encoded(json.dumps({"alg": "HS256"} | header).encode()) + b"." + body
    secret = pem(KEYS[name][1]) if how == "pem-as-secret" else public(name, KEYS[name])["n"].encode()
    return (text + b"." + encoded(hmac.new(secret, text, hashlib.sha256).digest())).decode()


class StandIn(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, value, status=200, headers=()):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, content in headers:
            self.send_header(name, content)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def where(self):
        """The issuer that a path belongs to, and what is wanted of it."""
        parts = [part for part in self.path.split("/") if part]
        if parts and parts[0] == ".well-known":
            return parts[-1], f"{parts[0]}/{parts[1]}"
        return parts[0], "/".join(parts[1:])

    def do_GET(self):
        base = f"http://{self.headers['Host']}"
        name, wanted = self.where()
        asked.append(self.path)
        if name == "asked":
            return self.answer(asked)
        if name == "slow":
            return threading.Event().wait()
        if name == "huge":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b" " * 65536)
            except OSError:
                return None
        if name == "redirect":
            return self.answer({}, 302, [("Location", self.path.replace("redirect", "good"))])
        if name == "broken":
            return self.answer(b"<html>")
        if wanted == "keys":
            return self.answer({"keys": [public(*key) for key in KEYS.items()] + [{"kty": "unheard-of"}, 5]})
        if wanted == ".well-known/oauth-authorization-server" and name != "oidc" or wanted.endswith(
            ".well-known/openid-configuration"
        ):
            issuer = f"{base}/{'good' if name == 'other' else name}"
            keys = "http://192.0.2.1/keys" if name == "plain" else f"{base}/{name}/keys"
            return self.answer(
                {
                    "issuer": issuer,
                    "jwks_uri": keys,
                    "token_endpoint": f"{base}/{name}/token",
                    "authorization_endpoint": f"{base}/{name}/authorize",
                    "response_types_supported": ["code"],
                    "grant_types_supported": ["client_credentials"],
                    "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                }
            )
        return self.answer({"error": "not found"}, 404)

    def do_POST(self):
        base = f"http://{self.headers['Host']}"
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        name, wanted = self.where()
        if name == "mint":
            given = json.loads(body)
            return self.answer(minted(f"{base}/{given.get('issuer', 'good')}", given).encode())
        if wanted == "token":
            form = dict(urllib.parse.parse_qsl(body))
            basic = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
            if self.headers["Authorization"] != basic or form.get("grant_type") != "client_credentials":
                return self.answer({"error": "invalid_client"}, 401)
            claims = {"sub": CLIENT, "aud": form["resource"], "scope": form.get("scope", "")}
            token = minted(f"{base}/{name}", {"claims": claims})
            granted = {"access_token": token, "token_type": "Bearer", "expires_in": 300, "scope": form.get("scope", "")}
            return self.answer(granted)
        return self.answer({"error": "not found"}, 404)


server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
print(f"stand-in issuer on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
