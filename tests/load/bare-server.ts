import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { BROWSER_ENCODINGS } from "./page-load.ts";

type Page = { headers: IncomingHttpHeaders; body: Buffer };

/** A page as a browser gets it, still compressed. */
export const fetchCompressed = (url: string): Promise<Page> =>
  new Promise((resolve, reject) => {
    const options = { agent: false, headers: { "accept-encoding": BROWSER_ENCODINGS } };
    const outgoing = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      response.once("error", reject);
    });
    outgoing.once("error", reject);
    outgoing.end();
  });

/** The floor: a Node server that does nothing but send one page's bytes from memory, with that page's headers. */
export async function openBareServer({ headers, body }: Page): Promise<{ url: string; stop: () => void }> {
  const { "transfer-encoding": _chunked, ...sent } = headers;
  const server = createServer((_request, response) => {
    response.writeHead(200, { ...sent, "content-length": body.byteLength });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
