import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hostedPieces } from "./pieces.ts";

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers.authorization} ${request.headers.apikey}`);
  if (request.url?.endsWith("/0001")) response.end("a piece");
  else if (request.url?.endsWith("/0002")) response.writeHead(400).end('{"statusCode":"404"}');
  else if (request.url?.endsWith("/0003")) response.writeHead(302, { location: "/elsewhere" }).end();
  else response.writeHead(503).end();
});
let url = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test("A piece is read with the secret key from the private bucket; a missing one is null, another response a failure", async () => {
  const read = hostedPieces({ url, secretKey: "secret" });
  expect(Buffer.from((await read("id/0001")) ?? []).toString()).toBe("a piece");
  expect(asked).toEqual(["/storage/v1/object/authenticated/digital-files/id/0001 Bearer secret secret"]);
  expect(await read("id/0002")).toBe(null);
  await expect(read("id/0003")).rejects.toThrow();
  await expect(read("id/0004")).rejects.toThrow("503");
});
