import { expect, test } from "vitest";
import { readBody } from "./body.ts";

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request("http://shop.example/x?a=b", { method: "POST", body, headers, duplex: "half" } as RequestInit);

const kilobyte = 1024;

test.each([
  ["/rest/v1/books", 128 * kilobyte],
  ["/auth/v1/token", 16 * kilobyte],
  ["/storage/v1/object/covers/a", 6 * 1024 * kilobyte],
])("A body for %s has at most %i bytes, with a stated length or without", async (path, most) => {
  const tooLarge = { status: 413, code: "PT413", message: "The request is too large." };
  const bytes = new Uint8Array(most);
  expect((await readBody(post(bytes), path)).bytes?.byteLength).toBe(most);
  const streamed = (size: number) => post(new Response(new Uint8Array(size)).body);
  expect((await readBody(streamed(most), path)).bytes?.byteLength).toBe(most);
  await expect(readBody(streamed(most + 1), path)).rejects.toMatchObject(tooLarge);
  const stated = post(
    new ReadableStream({ pull: () => Promise.reject(new Error("was read")) }, { highWaterMark: 0 }),
    {
      "content-length": String(most + 1),
    },
  );
  await expect(readBody(stated, path)).rejects.toMatchObject(tooLarge);
  const fits = await readBody(post("a", { "content-length": String(most) }), path);
  expect(fits.text()).toBe("a");
});

test("A body is read once, and can be passed on in another request", async () => {
  const body = await readBody(post('{"a":"é"}', { "content-type": "application/json" }), "/auth/v1/signup");
  expect(body.text()).toBe('{"a":"é"}');
  const leaving = new AbortController();
  const request = new Request("http://shop.example/x?a=b", {
    method: "PUT",
    headers: { a: "b" },
    signal: leaving.signal,
  });
  const restored = body.restored(request);
  expect([restored.url, restored.method, restored.headers.get("a")]).toEqual([request.url, "PUT", "b"]);
  expect(await restored.json()).toEqual({ a: "é" });
  leaving.abort();
  expect(restored.signal.aborted).toBe(true);
});

test("A request without a body has none", async () => {
  const body = await readBody(new Request("http://shop.example"), "/rest/v1/books");
  expect([body.bytes, body.text()]).toEqual([null, null]);
  expect(body.restored(new Request("http://shop.example")).body).toBeNull();
});
