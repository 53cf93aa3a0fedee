import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { openBareServer } from "./bare-server.ts";

test("keeps its connection open even if the page was fetched with 'Connection: close'", async () => {
  const body = Buffer.from("a page");
  const floor = await openBareServer({ headers: { connection: "close", etag: "x" }, body });
  const agent = new Agent({ keepAlive: true });
  const get = () =>
    new Promise<{ text: string; reused: boolean }>((resolve, reject) => {
      const outgoing = request(floor.url, { agent }, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ text, reused: outgoing.reusedSocket });
      });
      outgoing.once("error", reject);
      outgoing.end();
    });
  try {
    expect(await get()).toEqual({ text: "a page", reused: false });
    expect(await get()).toEqual({ text: "a page", reused: true });
  } finally {
    agent.destroy();
    floor.stop();
  }
});
