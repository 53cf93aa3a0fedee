import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { type SocketPool, socketFetch } from "./socket-fetch.ts";

/** As long as a busy machine may take. */
const waitFor = (check: () => unknown, interval = 50) => vi.waitFor(check, { timeout: 10_000, interval });

/** A backend on a socket that answers as the test says; by default it echoes the request. */
async function open(
  answer: (request: IncomingMessage, response: ServerResponse) => unknown = (request, response) =>
    response.end(`${request.method} ${request.url}`),
) {
  const folder = await mkdtemp(join(tmpdir(), "adwene-socket-"));
  const path = join(folder, "s");
  const server = createServer(answer);
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const socket = socketFetch(path);
  onTestFinished(async () => {
    socket.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  const ask = (address: string, init: RequestInit = {}, extra?: Record<string, string>, pool?: SocketPool) =>
    socket.fetch(new Request(`http://shop.example${address}`, init), extra, pool);
  return { server, socket, ask, connections: () => connections };
}

/** Keeps each request waiting until it is let go. */
function holdAll() {
  const held: ServerResponse[] = [];
  return { held, hold: (_: IncomingMessage, response: ServerResponse) => held.push(response) };
}

test("A stated length without its body does not swallow the next request on the same connection", async () => {
  const { ask } = await open();
  expect(await (await ask("/first", { headers: { "content-length": "120000" } })).text()).toBe("GET /first");
  expect(await (await ask("/second")).text()).toBe("GET /second");
});

test("Path, query, method, headers and body arrive as sent, and the backend's response comes back", async () => {
  const { ask } = await open(async (request, response) => {
    const { "x-shop": own, host, "content-type": kind } = request.headers;
    const seen = [request.method, request.url, own, host, kind, await text(request)];
    response.writeHead(201, { "x-answer": "yes" }).end(JSON.stringify(seen));
  });
  const answer = await ask("/rest/v1/books?limit=1&a=%20b", {
    method: "PATCH",
    body: "twelve books",
    headers: { "x-shop": "own", "content-type": "text/csv" },
  });
  expect([answer.status, answer.headers.get("x-answer")]).toEqual([201, "yes"]);
  expect(await answer.json()).toEqual([
    ...["PATCH", "/rest/v1/books?limit=1&a=%20b", "own", "shop.example", "text/csv", "twelve books"],
  ]);
});

test("Headers of the customer's connection are dropped, and the web process's own replace them", async () => {
  const { ask } = await open((request, response) => response.end(JSON.stringify(request.headers)));
  const headers = { te: "trailers", "proxy-authorization": "Basic x", "x-shop-ip": "6.6.6.6", accept: "a/b" };
  const seen = await (await ask("/", { headers }, { "x-shop-ip": "203.0.113.9" })).json();
  expect(seen).toEqual({
    ...{ accept: "a/b", "x-shop-ip": "203.0.113.9", host: "shop.example", connection: "keep-alive" },
    ...Object.fromEntries(Object.entries(seen).filter(([name]) => /^(accept-|sec-|user-agent)/.test(name))),
  });
});

test("Repeated headers all come back, but none about the connection to the backend", async () => {
  const { ask } = await open((_, response) => {
    response.writeHead(200, [
      ...["Set-Cookie", "a=1", "set-cookie", "b=2", "Keep-Alive", "timeout=9"],
      ...["Connection", "keep-alive", "X-Shop", "own"],
    ]);
    response.end("fine");
  });
  const { headers } = await ask("/");
  expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(headers.get("x-shop")).toBe("own");
  expect(["keep-alive", "connection", "transfer-encoding"].filter((name) => headers.has(name))).toEqual([]);
});

test.each([
  ["HEAD", 200],
  ["GET", 204],
  ["GET", 304],
])(
  "The response to %s with status %i has no body, and leaves the connection free",
  async (method, status) => {
    const { ask, connections } = await open((_, response) =>
      response
        .writeHead(status, { etag: '"1"', ...(status === 200 ? { "content-length": "12" } : {}) })
        .end(),
    );
    await waitFor(async () => {
      const earlier = connections();
      const answer = await ask("/", { method });
      expect([answer.status, answer.headers.get("etag"), answer.body]).toEqual([status, '"1"', null]);
      expect([earlier > 0, connections()]).toEqual([true, earlier]);
    });
  },
);

test("One connection serves one request after another", async () => {
  const { ask, connections } = await open();
  for (let n = 0; n < 3; n += 1) await (await ask(`/${n}`)).text();
  expect(connections()).toBe(1);
});

test("A body arrives piece by piece, while the rest is still being sent", async () => {
  const arrived: string[] = [];
  const { ask } = await open(async (request, response) => {
    for await (const piece of request) arrived.push(String(piece));
    response.end("all");
  });
  let send: (piece: string | null) => void = () => {};
  const body = new ReadableStream({
    start: (controller) => {
      send = (piece) => (piece === null ? controller.close() : controller.enqueue(Buffer.from(piece)));
    },
  });
  const answer = ask("/", { method: "POST", body, duplex: "half" } as RequestInit);
  send("first");
  await waitFor(() => expect(arrived).toEqual(["first"]));
  send("second");
  send(null);
  expect(await (await answer).text()).toBe("all");
  expect(arrived.join(" ")).toBe("first second");
});

test("A short body of a stated length is awaited before a connection is taken", async () => {
  const { ask, connections } = await open(async (request, response) => response.end(await text(request)));
  let finish = () => {};
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.from("fir"));
      finish = () => {
        controller.enqueue(Buffer.from("st"));
        controller.close();
      };
    },
  });
  const headers = { "content-length": "5" };
  const slow = ask("/slow", { method: "POST", body, headers, duplex: "half" } as RequestInit);
  expect(await (await ask("/other")).text()).toBe("");
  expect(connections()).toBe(1);
  finish();
  expect(await (await slow).text()).toBe("first");
  expect(connections()).toBe(1);
});

test("A short response arrives whole, or the request fails", async () => {
  const { held, hold } = holdAll();
  const { ask } = await open(hold);
  const [whole, broken] = [ask("/whole"), ask("/broken")];
  await waitFor(() => expect(held).toHaveLength(2));
  for (const response of held) response.writeHead(200, { "content-length": "4" }).write("ab");
  held.find(({ req }) => req.url === "/broken")?.destroy();
  await expect(broken).rejects.toMatchObject({ code: "ECONNRESET" });
  held.find(({ req }) => req.url === "/whole")?.end("cd");
  expect(await (await whole).text()).toBe("abcd");
});

test("A response of stated length 0 has no body, and its connection serves the next request", async () => {
  const { ask, connections } = await open((_, response) =>
    response.writeHead(201, { "content-length": "0" }).end(),
  );
  const first = await ask("/rest/v1/orders", { method: "POST", body: "{}" });
  expect([first.status, first.body, first.headers.get("content-length")]).toEqual([201, null, "0"]);
  expect((await ask("/rest/v1/orders", { method: "POST", body: "{}" })).status).toBe(201);
  expect(connections()).toBe(1);
});

test("A customer who breaks off while sending fails the request, and the backend learns of it", async () => {
  const seen: string[] = [];
  const { ask } = await open((request) => {
    request.on("error", ({ message }) => seen.push(message));
    request.on("data", (piece) => seen.push(String(piece)));
  });
  let breakOff = () => {};
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.from("half"));
      breakOff = () => controller.error(new Error("hung up"));
    },
  });
  const asked = ask("/", { method: "POST", body, duplex: "half" } as RequestInit);
  await waitFor(() => expect(seen).toEqual(["half"]));
  breakOff();
  await expect(asked).rejects.toThrow("hung up");
  await waitFor(() => expect(seen).toEqual(["half", "aborted"]));
});

test("An aborted request is aborted at the backend too", async () => {
  const { held, hold } = holdAll();
  const { ask } = await open(hold);
  const leaving = new AbortController();
  const asked = ask("/", { signal: leaving.signal });
  await waitFor(() => expect(held).toHaveLength(1));
  const closed = once(held[0] as ServerResponse, "close");
  leaving.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  await closed;
});

test("If nothing listens, the request fails with the system's reason", async () => {
  const { fetch } = socketFetch(join(tmpdir(), "adwene-nobody-here"));
  await expect(fetch(new Request("http://shop.example/"))).rejects.toMatchObject({ code: "ENOENT" });
});

test("By default 64 requests run at a time, and other kinds have room beside them", async () => {
  const { held, hold } = holdAll();
  const { ask } = await open(hold);
  const crowd = Array.from({ length: 70 }, (_, n) => ask(`/${n}`));
  await waitFor(() => expect(held).toHaveLength(64));
  const other = ask("/other", {}, {}, "accounts");
  await waitFor(() => expect(held).toHaveLength(65));
  const addresses = () => held.map(({ req }) => req.url);
  expect(addresses()).toContain("/other");
  expect(addresses()).not.toContain("/69");
  for (let n = 0; n < 71; n += 1) {
    await waitFor(() => expect(held.length).toBeGreaterThan(n));
    held[n]?.end();
  }
  expect((await Promise.all([...crowd, other])).every(({ ok }) => ok)).toBe(true);
});

test("Closing ends the connections that were kept", async () => {
  const { ask, socket, server } = await open();
  await (await ask("/")).text();
  const count = () =>
    new Promise<number>((resolve) => server.getConnections((_, connections) => resolve(connections)));
  expect(await count()).toBe(1);
  socket.close();
  await waitFor(async () => expect(await count()).toBe(0));
});
