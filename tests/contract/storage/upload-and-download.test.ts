import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { respondWithFile, respondWithObject } from "#server/api/storage/download.ts";
import type { Exchange } from "#server/api/storage/storage-api.ts";
import { storeUpload } from "#server/api/storage/upload.ts";
import { Refusal } from "#server/lib/refusal.ts";
import { exchange } from "#tests/support/exchange.ts";

test("An upload writes its row, then its file, and removes the file that it replaces", async () => {
  const request = new Request("http://shop.example", {
    method: "POST",
    headers: { "content-type": "image/png", "cache-control": "max-age=60", "x-upsert": "true" },
  });
  const {
    exchange: call,
    asked,
    files,
  } = await exchange({ request, body: Buffer.from("new") }, ["vold", "1"]);
  const old = { bucket: "covers", name: "a.jpg", version: "old" };
  await files.write(old, Buffer.from("old"));
  const answer = await storeUpload(call);
  expect(await answer.json()).toEqual({ Key: "covers/a.jpg", Id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const { text, values } = asked[0] ?? { text: "", values: [] };
  expect(text).toContain(" and true for update)");
  expect(text).toContain("on conflict (bucket_id, name) do update set metadata = excluded.metadata");
  const [metadata, version] = [JSON.parse(String(values[7])), String(values[8])];
  expect(values.slice(0, 7)).toEqual(["covers", "a.jpg", expect.any(String), "covers", "a.jpg", "7", "7"]);
  expect(metadata).toEqual({
    eTag: expect.stringMatching(/^"[0-9a-f-]{36}"$/),
    size: 3,
    contentLength: 3,
    mimetype: "image/png",
    cacheControl: "max-age=60",
    lastModified: expect.stringMatching(/^\d{4}-.*Z$/),
    httpStatusCode: 200,
  });
  expect(await readFile(files.path({ ...old, version }), "utf8")).toBe("new");
  await expect(readFile(files.path(old))).rejects.toThrow("ENOENT");
});

test("A file that may not be replaced stays, and a replacement must find a file", async () => {
  const fresh = await exchange({ body: Buffer.from("x") }, [null, "1"]);
  await storeUpload(fresh.exchange);
  expect(fresh.asked[0]?.text).toContain(" and false for update)");
  expect(fresh.asked[0]?.text).not.toContain("on conflict");
  const request = new Request("http://shop.example", { method: "PUT" });
  const found = await exchange({ request }, ["v", "1"]);
  await storeUpload(found.exchange);
  expect(found.asked[0]?.text).toContain("update storage.objects t set metadata");
  expect(found.asked[0]?.text).toContain(" and true for update)");
  expect(JSON.parse(String(found.asked[0]?.values[2]))).toMatchObject({
    size: 0,
    mimetype: "application/octet-stream",
    cacheControl: "no-cache",
  });
  const missing = await exchange({ request }, [null, "0"]);
  await expect(storeUpload(missing.exchange)).rejects.toMatchObject({
    status: 404,
    message: "Object not found",
  });
});

const upload = async (
  body: BodyInit,
  bucket: Partial<Exchange["bucket"]> = {},
  headers: Record<string, string> = {},
) => {
  const response = new Response(body, { headers });
  const given = { "content-type": response.headers.get("content-type") ?? "", ...headers };
  const { exchange: call, asked } = await exchange(
    {
      request: new Request("http://shop.example", { method: "POST", headers: given }),
      body: new Uint8Array(await response.arrayBuffer()),
      bucket: { id: "covers", file_size_limit: null, allowed_mime_types: null, ...bucket },
    },
    [null, "1"],
  );
  await storeUpload(call);
  return JSON.parse(String(asked[0]?.values[7]));
};

const form = (file: Blob | string, cacheControl?: string) => {
  const made = new FormData();
  if (cacheControl !== undefined) made.append("cacheControl", cacheControl);
  made.append("", file);
  return made;
};

test("A form's file is stored with its type and cache time", async () => {
  expect(await upload(form(new Blob(["abc"], { type: "image/png" }), "3600"))).toMatchObject({
    size: 3,
    mimetype: "image/png",
    cacheControl: "max-age=3600",
  });
  expect(await upload(form(new Blob(["abc"])))).toMatchObject({
    mimetype: "application/octet-stream",
    cacheControl: "no-cache",
  });
  for (const seconds of ["x3600", "3600x", "1".repeat(10), ""])
    expect(await upload(form(new Blob(["a"]), seconds))).toMatchObject({ cacheControl: "no-cache" });
  const unreadable = { status: 400, message: "The form holds no file that can be read." };
  await expect(upload(form("text"))).rejects.toMatchObject(unreadable);
  await expect(upload("x", {}, { "content-type": "multipart/form-data" })).rejects.toMatchObject(unreadable);
});

test("A cache time that is not valid in a header is not stored", async () => {
  for (const asked of ['a"b', "a".repeat(101)])
    expect(await upload("x", {}, { "content-type": "image/png", "cache-control": asked })).toMatchObject({
      cacheControl: "no-cache",
    });
  expect(
    await upload("x", {}, { "content-type": "image/png", "cache-control": "public, max-age=60" }),
  ).toMatchObject({
    cacheControl: "public, max-age=60",
  });
});

test("A bucket's limits are enforced", async () => {
  const png = { "content-type": "image/png" };
  const large = {
    status: 413,
    code: "Payload too large",
    message: "The object exceeded the maximum allowed size",
  };
  expect(await upload("abc", { file_size_limit: 3 }, png)).toMatchObject({ size: 3 });
  await expect(upload("abcd", { file_size_limit: 3 }, png)).rejects.toMatchObject(large);
  for (const allowed of [["image/png"], ["image/*"]])
    expect(
      await upload("a", { allowed_mime_types: allowed }, { "content-type": "image/png ; q=1" }),
    ).toBeDefined();
  expect(
    await upload("a", { allowed_mime_types: ["image/png"] }, { "content-type": "IMAGE/PNG" }),
  ).toBeDefined();
  expect(await upload("a", {}, { "content-type": "Image/PNG ; charset=utf-7" })).toMatchObject({
    mimetype: "image/png",
  });
  await expect(upload("a", { allowed_mime_types: ["image/jpeg"] }, png)).rejects.toMatchObject({
    status: 415,
    code: "invalid_mime_type",
    message: "mime type image/png is not supported",
  });
  const long = `text/${"x".repeat(80)}`;
  await expect(upload("a", { allowed_mime_types: ["text/html"] }, { "content-type": long })).rejects.toThrow(
    `mime type ${long.slice(0, 60)} is not supported`,
  );
});

test("A file is served with its metadata, and not again to a client that has it", async () => {
  const { exchange: call, files } = await exchange({});
  const file = { bucket: "covers", name: "a.jpg", version: null };
  await files.write(file, Buffer.from("abc"));
  const metadata = { mimetype: "image/png", cacheControl: "max-age=60", eTag: '"1"' };
  const look = (headers: Record<string, string> = {}, method = "GET") =>
    respondWithFile({
      request: new Request("http://shop.example", { method, headers }),
      files,
      file,
      metadata,
      scope: "public",
    });
  const answer = await look();
  expect(Object.fromEntries(answer?.headers ?? [])).toEqual({
    "content-type": "image/png",
    "cache-control": "public, max-age=60",
    etag: '"1"',
    "content-length": "3",
    "last-modified": expect.stringMatching(/GMT$/),
  });
  expect([answer?.status, await answer?.text()]).toEqual([200, "abc"]);
  for (const known of ['"1"', 'W/"1"', '"0", "1"']) {
    const unchanged = await look({ "if-none-match": known });
    expect([unchanged?.status, await unchanged?.text(), unchanged?.headers.get("content-length")]).toEqual([
      304,
      "",
      null,
    ]);
  }
  for (const other of ['"2"', 'xW/"1"']) expect((await look({ "if-none-match": other }))?.status).toBe(200);
  const head = await look({}, "HEAD");
  expect([head?.status, await head?.text(), head?.headers.get("content-length")]).toEqual([200, "", "3"]);
  const unknown = await respondWithFile({
    request: call.request,
    files,
    file,
    metadata: null,
    scope: "private",
  });
  expect(unknown?.headers.get("content-type")).toBe("application/octet-stream");
  expect([unknown?.headers.get("cache-control"), unknown?.headers.get("etag")]).toEqual([
    "private, no-cache",
    null,
  ]);
  const missing = { ...file, name: "b.jpg" };
  expect(
    await respondWithFile({ request: call.request, files, file: missing, metadata: null, scope: "public" }),
  ).toBeNull();
});

test("A private file is looked up as its reader", async () => {
  const {
    exchange: call,
    asked,
    files,
  } = await exchange({}, ['{"metadata":{"mimetype":"image/png"},"version":null}', "1"]);
  await expect(respondWithObject(call)).rejects.toMatchObject({ status: 404, message: "Object not found" });
  await files.write({ bucket: "covers", name: "a.jpg", version: null }, Buffer.from("abc"));
  const answer = await respondWithObject(call);
  expect([answer.headers.get("cache-control"), await answer.text()]).toEqual(["private, no-cache", "abc"]);
  expect(asked[0]?.values).toEqual(["covers", "a.jpg"]);
  const none = await exchange({ files }, [null, "0"]);
  await expect(respondWithObject(none.exchange)).rejects.toBeInstanceOf(Refusal);
});
