import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { packed } from "./packed.ts";

const text = JSON.stringify("a long response ".repeat(200));
const json = { "content-type": "application/json; charset=utf-8" };
const accepting = (encodings: string, method = "GET") =>
  new Request("http://shop.example/", { method, headers: { "accept-encoding": encodings } });

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test.each([
  ["br", brotliDecompressSync],
  ["gzip", gunzipSync],
])(
  "An answer that is sent as %s reads back unchanged, with its status, headers and length",
  async (encoding, unpack) => {
    const headers = { ...json, "content-length": String(text.length), "content-range": "0-9/*" };
    const response = await packed(new Response(text, { status: 201, headers }), accepting(encoding));
    const bytes = await bytesOf(response);
    expect(unpack(bytes).toString()).toBe(text);
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      201,
      { ...headers, "content-encoding": encoding, "content-length": String(bytes.length) },
    ]);
  },
);

test("What is short, partial, a picture, packed already or only described is sent as it is", async () => {
  const cases: [string, Response, Request][] = [
    ["short", new Response("{}", { headers: { ...json, "content-length": "2" } }), accepting("br")],
    ["short without a length", new Response("{}", { headers: json }), accepting("br")],
    ["partial", new Response(text, { status: 206, headers: json }), accepting("br")],
    ["a picture", new Response(text, { headers: { "content-type": "image/jpeg" } }), accepting("br")],
    ["packed", new Response(text, { headers: { ...json, "content-encoding": "x" } }), accepting("br")],
    ["not accepted", new Response(text, { headers: json }), accepting("identity")],
    ["only described", new Response(null, { headers: json }), accepting("br", "HEAD")],
    ["empty", new Response(null, { status: 204 }), accepting("br")],
  ];
  for (const [name, response, request] of cases) {
    const expected = await bytesOf(response.clone());
    const before = response.headers.get("content-encoding");
    const sent = await packed(response, request);
    expect([sent.headers.get("content-encoding"), await bytesOf(sent)], name).toEqual([before, expected]);
  }
});
