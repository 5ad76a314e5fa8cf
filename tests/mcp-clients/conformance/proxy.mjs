// Stands between the conformance suite and a server that wants a token: the suite cannot send one.
// Everything else passes as it came, headers in their order and answers as they stream.
//
//   node proxy.mjs HOST:PORT < token
//
// prints the port it listens on and ends with its stdin.
import http from "node:http";

const [host, port] = process.argv[2].split(":");
let token = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  token += text;
  if (!token.endsWith("\n") || server.listening) return;
  token = token.trim();
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
});
process.stdin.on("end", () => process.exit(0));

// Every connection of the suite is one of the server, so that one that is lost there is lost here.
const server = http.createServer((request, response) => {
  // Who names this address means that one; every other host and origin is the suite's own to try.
  const named = (value) => value.replaceAll(`127.0.0.1:${server.address().port}`, `${host}:${port}`);
  const headers = request.rawHeaders.map((value, at) =>
    at % 2 === 1 && /^(host|origin)$/i.test(request.rawHeaders[at - 1]) ? named(value) : value,
  );
  headers.push("Authorization", `Bearer ${token}`);
  const onward = http.request({ host, port, method: request.method, path: request.url, headers, agent: false });
  onward.on("response", (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders);
    response.flushHeaders();
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
});
server.keepAliveTimeout = 0;
