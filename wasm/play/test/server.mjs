// A static server that knows no types.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";

/** Serves a folder. It returns the address, the paths that were asked for, and close. */
export async function serve(folder) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, "http://x").pathname);
    asked.push(path);
    try {
      const body = await readFile(join(folder, path === "/" ? "index.html" : path));
      const type = { html: "text/html", css: "text/css", js: "text/javascript" }[path === "/" ? "html" : path.split(".").pop()];
      response.writeHead(200, { "content-type": type ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close() };
}
