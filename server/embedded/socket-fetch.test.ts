import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { socketFetch } from "./socket-fetch.ts";

let folder: string;
let server: Server;
let socket: ReturnType<typeof socketFetch>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "adwene-socket-"));
  const path = join(folder, "s");
  server = createServer((request, response) => response.end(`${request.method} ${request.url}`));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  socket = socketFetch(path);
});
afterAll(async () => {
  socket.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

test("A stated length without its body does not swallow the next request on the same connection", async () => {
  const ask = async (path: string, headers: HeadersInit = {}) =>
    (await socket.fetch(new Request(`http://shop.example${path}`, { headers }))).text();
  expect(await ask("/first", { "content-length": "120000" })).toBe("GET /first");
  expect(await ask("/second")).toBe("GET /second");
});
