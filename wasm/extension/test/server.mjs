// A server that stands for all hosts of the web, and counts what reaches it.
import { createServer } from "node:http";

export async function serve() {
  /** The URLs that were asked for. */
  const asked = [];
  /** What is answered at host and path, if not a page: a function of (request, response). */
  const answers = new Map();
  const server = createServer({ maxHeaderSize: 8 << 20 }, (request, response) => {
    // As a proxy it is given whole URLs.
    const { host, pathname, search } = new URL(request.url, `http://${request.headers.host}`);
    asked.push(host + pathname + search);
    const answer = answers.get(host + pathname);
    if (answer) return answer(request, response);
    if (pathname === "/favicon.ico") return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><title>${host}</title>${request.method} ${host}`);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    asked,
    answers,
    port: server.address().port,
    /** How many requests for a host came since it was last asked. */
    take(which = () => true) {
      const n = asked.filter((url) => which(url.split("/")[0])).length;
      asked.length = 0;
      return n;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
