import { randomBytes } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createPageForms, encode, PAGE_QUALITY, toResponse } from "./page-forms.ts";

const text = "A page about books. ".repeat(100);
const bytes = new TextEncoder().encode(text);

/** The choice for each header is remembered for as long as the process runs: each header here is a new one. */
let headers = Date.now();
const header = (accept: string) => {
  headers += 1;
  return accept === "" ? `x-${headers}` : `x-${headers}, ${accept}`;
};

const formsOf = (status = 200, fields: Record<string, string> = {}, body: Uint8Array | null = bytes) =>
  createPageForms({ status, headers: new Headers({ "Content-Type": "text/html", ...fields }), body }, [
    ["X-Frame-Options", "DENY"],
  ]);

const fieldsOf = (form: Parameters<typeof toResponse>[0] | null) =>
  Object.fromEntries(form ? toResponse(form).headers : []);

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, br", "br"],
  ["gzip;q=1, br;q=0.5", "gzip"],
  ["br;q=0.9, gzip;q=0.9", "br"],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["BR", "br"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["gzip;q=0, *;q=0.5", "br"],
  ["br;q=0, gzip;q=0", undefined],
  ["*;q=0", undefined],
  ["deflate", undefined],
  ["", undefined],
  ["identity, gzip;q=0.5", undefined],
  ["identity;q=0.5, gzip", "gzip"],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["IDENTITY, br;q=0.5", undefined],
])("With the header Accept-Encoding: %s a page is sent as %s", async (accept, encoding) => {
  const form = await formsOf().make("GET", header(accept), undefined);
  const fields = fieldsOf(form);
  expect([form.status, fields["content-encoding"]]).toEqual([200, encoding]);
  const body = form.body ?? Buffer.of();
  const unpacked = encoding === "br" ? brotliDecompressSync(body) : encoding ? gunzipSync(body) : body;
  expect(unpacked.toString()).toBe(text);
  expect(fields["content-length"]).toBe(String(body.byteLength));
  if (encoding) expect(body.byteLength).toBeLessThan(bytes.byteLength / 4);
});

test("A page has the shop's headers and an ETag of its content, and must be revalidated", async () => {
  const fields = fieldsOf(await formsOf().make("GET", header("br"), undefined));
  expect(fields).toEqual({
    "content-type": "text/html",
    "x-frame-options": "DENY",
    vary: "Accept-Encoding",
    etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    "cache-control": "public, max-age=0, must-revalidate",
    "content-encoding": "br",
    "content-length": expect.any(String),
  });
  const same = fieldsOf(await formsOf().make("GET", header(""), undefined));
  expect(same.etag).toBe(fields.etag);
  const other = await formsOf(200, {}, new TextEncoder().encode("another")).make(
    "GET",
    header(""),
    undefined,
  );
  expect(fieldsOf(other).etag).not.toBe(fields.etag);
});

test("A page keeps its own Cache-Control and Vary; an error gets no ETag and is not stored", async () => {
  const own = formsOf(200, { "Cache-Control": "private", Vary: "Cookie" });
  expect(fieldsOf(await own.make("GET", header(""), undefined))).toMatchObject({
    "cache-control": "private",
    vary: "Cookie, Accept-Encoding",
  });
  const failed = await formsOf(503).make("GET", header("gzip"), undefined);
  expect(failed.status).toBe(503);
  expect(fieldsOf(failed)).toMatchObject({ "cache-control": "no-store", "content-encoding": "gzip" });
  expect(fieldsOf(failed)).not.toHaveProperty("etag");
});

test("A browser that has the page gets 304 without a body, but only for a page with an ETag", async () => {
  const forms = formsOf();
  const { etag = "" } = fieldsOf(await forms.make("GET", header("br"), undefined));
  for (const form of [await forms.make("GET", header("br"), etag), forms.made(header("br"), etag)]) {
    expect([form?.status, form?.body]).toEqual([304, null]);
    expect(fieldsOf(form)).toMatchObject({ etag, "cache-control": "public, max-age=0, must-revalidate" });
  }
  expect((await forms.make("GET", header("br"), 'W/"other"')).status).toBe(200);
  const failed = formsOf(503);
  expect((await failed.make("GET", header("br"), undefined)).status).toBe(503);
  expect(failed.made("br", undefined)?.status).not.toBe(304);
});

test("HEAD, and a page without a body, get only the headers", async () => {
  for (const form of [
    await formsOf().make("HEAD", header("br"), undefined),
    await formsOf(302, { Location: "/shop" }, null).make("GET", header("br"), undefined),
  ]) {
    expect(form.body).toBeNull();
    for (const name of ["etag", "cache-control", "content-encoding", "content-length"])
      expect(fieldsOf(form)).not.toHaveProperty(name);
    expect(fieldsOf(form).vary).toBe("Accept-Encoding");
  }
  const redirect = await formsOf(302, { Location: "/shop" }, null).make("GET", header("br"), 'W/"x"');
  expect([redirect.status, fieldsOf(redirect).location]).toEqual([302, "/shop"]);
});

test("Each form is made once, even for several browsers at the same time, and then reused", async () => {
  const forms = formsOf();
  const [one, two] = [header("br"), header("br")];
  expect(forms.made(one, undefined)).toBeNull();
  const [first, second] = await Promise.all([
    forms.make("GET", one, undefined),
    forms.make("GET", two, undefined),
  ]);
  expect(second).toBe(first);
  expect(forms.made(one, undefined)).toBe(first);
  expect(await forms.make("GET", two, undefined)).toBe(first);
  expect(forms.made(header("gzip"), undefined)).toBeNull();
  expect(fieldsOf(await forms.make("GET", header("gzip"), undefined))["content-encoding"]).toBe("gzip");
});

test("A response has every header of its form, even those that occur twice", async () => {
  const head = ["Set-Cookie", "a=1", "Set-Cookie", "b=2", "Content-Type", "text/plain"];
  const response = toResponse({ status: 201, head, body: Buffer.from("made") });
  expect([response.status, response.headers.getSetCookie(), await response.text()]).toEqual([
    201,
    ["a=1", "b=2"],
    "made",
  ]);
  expect(response.headers.get("content-type")).toBe("text/plain");
  expect(toResponse({ status: 304, head: [], body: null }).body).toBeNull();
});

test.each([1_000, 60_000, 65_500, 65_536, 70_000, 500_000, 2_000_000])(
  "sends what a page repeats after %i bytes only once",
  async (length) => {
    const once = randomBytes(length);
    const page = Buffer.concat([once, once]);
    const packed = await encode(page, "br", PAGE_QUALITY);
    expect(brotliDecompressSync(packed).equals(page)).toBe(true);
    expect(packed.length).toBeLessThan(1.02 * length + 100);
  },
);

test("compresses a body that several pages have once", async () => {
  const [one, other, another] = [
    formsOf(404),
    formsOf(404),
    formsOf(404, {}, new TextEncoder().encode(text)),
  ];
  const packed = await one.make("GET", header("br"), undefined);
  expect((await other.make("GET", header("br"), undefined)).body).toBe(packed.body);
  expect((await another.make("GET", header("br"), undefined)).body).not.toBe(packed.body);
  expect((await other.make("GET", header("gzip"), undefined)).body).not.toEqual(packed.body);
});
