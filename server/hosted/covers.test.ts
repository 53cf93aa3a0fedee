import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findHostedCovers } from "./covers.ts";

const HOUR_MS = 3_600_000;

type Stored = { content: Uint8Array<ArrayBuffer>; modified: Date };

/** A project whose bucket responds as the test says, and a machine that stores sizes in memory. */
async function open({ status = 200, content = Buffer.from("a cover") } = {}) {
  const requests: string[] = [];
  const project = { status };
  const server = createServer(({ method, url }, response) => {
    requests.push(`${method} ${url}`);
    response.writeHead(project.status).end(project.status === 200 ? content : "{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  let time = 0;
  const sizes = new Map<string, Stored>();
  const find = findHostedCovers(
    { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    (name, read) => ({
      id: name,
      read,
      openSize: async (size, withContent) => {
        const found = sizes.get(`${name} ${size}`);
        return found
          ? { ...found, size: found.content.length, body: withContent ? found.content : null }
          : null;
      },
      writeSize: async (size, written) =>
        void sizes.set(`${name} ${size}`, { content: new Uint8Array(written), modified: new Date(time) }),
    }),
    () => time,
  );
  const findNow = (name: string) => find(name, "203.0.113.1", new AbortController().signal);
  return { find: findNow, requests, project, pass: (ms: number) => (time += ms) };
}

const path = "/storage/v1/object/public/book-covers/a%20cover.jpg";

test("An original is read from the bucket by its name", async () => {
  const { find, requests } = await open();
  expect(Buffer.from((await (await find("a%20cover.jpg"))?.read()) ?? []).toString()).toBe("a cover");
  expect(requests).toEqual([`GET ${path}`]);
});

test.each([404, 400])("What the bucket answers with %i is missing", async (status) => {
  const { find } = await open({ status });
  expect(await (await find("a.jpg"))?.read()).toBeNull();
});

test("A project that fails, or a file larger than any cover, is a failure", async () => {
  const [failing, large] = [await open({ status: 500 }), await open({ content: Buffer.alloc(7_000_000) })];
  await expect(failing.find("a.jpg").then((cover) => cover?.read())).rejects.toThrow("responded with 500");
  await expect(large.find("a.jpg").then((cover) => cover?.read())).rejects.toThrow("too large");
});

test.each(["%ff", "a%00.jpg", "x".repeat(1_001)])("The name %j is not asked for", async (name) => {
  const { find, requests } = await open();
  expect([await find(name), requests]).toEqual([null, []]);
});

test("A stored size needs no request for a day; then the bucket is asked whether the original is still there", async () => {
  const { find, requests, project, pass } = await open();
  const cover = await find("a%20cover.jpg");
  const open160 = async () => (await cover?.openSize("160.webp", true))?.size ?? null;
  await cover?.writeSize("160.webp", new Uint8Array(3));
  pass(24 * HOUR_MS);
  expect([await open160(), requests]).toEqual([3, []]);
  pass(1);
  expect([await open160(), await open160(), requests]).toEqual([3, 3, [`HEAD ${path}`]]);
  pass(25 * HOUR_MS);
  project.status = 503;
  expect(await open160()).toBe(3);
  project.status = 400;
  expect(await open160()).toBeNull();
});
