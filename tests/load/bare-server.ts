import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { Worker } from "node:worker_threads";
import { BROWSER_ENCODINGS } from "./page-load.ts";

export type Page = { headers: IncomingHttpHeaders; body: Uint8Array };

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

/**
 * The floor: a Node server that does nothing but send one page's bytes from memory, with that page's headers. It has a thread of its
 * own, as the shop has. Headers about the connection are dropped: `fetchCompressed` closes its own, and the shop keeps those of browsers.
 */
export async function openBareServer({ headers, body }: Page): Promise<{ url: string; stop: () => void }> {
  const { connection: _closed, "keep-alive": _time, "transfer-encoding": _chunked, ...sent } = headers;
  const page: Page = { headers: { ...sent, "content-length": String(body.byteLength) }, body };
  const thread = new Worker(new URL("./bare-server-thread.ts", import.meta.url), { workerData: page });
  const [port] = await once(thread, "message");
  return { url: `http://127.0.0.1:${port}`, stop: () => void thread.terminate() };
}
