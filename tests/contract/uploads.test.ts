import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jpegOf, jpegOfSize } from "#tests/support/jpeg.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi();
});
afterAll(() => api?.close());

const cover = "/storage/v1/object/book-covers/a.jpg";

test("Only an admin may send a cover of 6 MB: everyone else is refused before it is read", async () => {
  const [customer, admin] = [await api.newPerson(), await api.newPerson("admin")];
  const asked = [];
  for (const person of [undefined, customer, randomUUID(), admin])
    asked.push(await api.refuseUpload(cover, person));
  expect(asked.map((refusal) => refusal?.status)).toEqual([400, 400, 400, undefined]);
  expect(await api.sql.query("select from storage.objects")).toEqual([]);
});

test.each([
  "/storage/v1/object/book-covers",
  "/storage/v1/object/list/book-covers",
  "/storage/v1/object/public/book-covers/a.jpg",
  "/storage/v1/object/nowhere/a.jpg",
  "/storage/v1/object/sign/a.jpg",
  "/storage/v1/object/book-covers/%ff",
  "/storage/v1/object/book-covers/a%00.jpg",
  "/rest/v1/books",
  "",
])("A file cannot be sent to %j", async (path) => {
  expect((await api.refuseUpload(path, await api.newPerson("admin")))?.status).toBe(400);
});

/** Sends a cover as an admin does who calls the API without the form. */
const send = async (body: string | Uint8Array, type = "image/jpeg", name = `${randomUUID()}.jpg`) =>
  api.ask(`/storage/v1/object/book-covers/${name}`, {
    as: await api.newPerson("admin"),
    body,
    headers: { "content-type": type },
  });
const read = async (response: Response) => [response.status, (await response.json()).statusCode];

test("A cover of more than 5 MB is refused, even from an admin", async () => {
  const limit = 5 * 1024 * 1024;
  expect((await send(jpegOfSize(6 * 1024 * 1024 + 1))).status).toBe(413);
  expect(await read(await send(jpegOfSize(limit + 1)))).toEqual([400, "413"]);
  expect((await send(jpegOfSize(limit))).status).toBe(200);
  expect((await send(jpegOf("a"), "image/jpeg", "twice.jpg")).status).toBe(200);
  expect(await read(await send(jpegOf("a"), "image/jpeg", "twice.jpg"))).toEqual([400, "409"]);
});

test.each([
  ["nothing", ""],
  ["a web page", "<!doctype html><script>alert(1)</script>"],
  ["an SVG picture", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ["a web page that begins like a JPEG", "\xff\xd8\xff<script>alert(1)</script>"],
])("%s is not stored as a cover, whatever its sender calls it", async (_, text) => {
  const before = await api.sql.query("select id from storage.objects");
  for (const type of ["image/jpeg", "IMAGE/JPEG; charset=utf-7", "text/html", "image/svg+xml", "image/png"])
    expect(await read(await send(Buffer.from(text, "latin1"), type)), type).toEqual([400, "415"]);
  const form = new FormData();
  form.append("", new Blob([Buffer.from(text, "latin1")], { type: "image/jpeg" }));
  const sent = new Response(form);
  const type = sent.headers.get("content-type") ?? "";
  expect(await read(await send(new Uint8Array(await sent.arrayBuffer()), type))).toEqual([400, "415"]);
  expect(await api.sql.query("select id from storage.objects")).toEqual(before);
});

test("A cover is stored and served as image/jpeg without the camera's metadata", async () => {
  const name = `${randomUUID()}.jpg`;
  const jpeg = jpegOf("a cover");
  const exif = Buffer.from("\xff\xe1\0\x14Exif\0\0Cantonments!", "latin1");
  const photo = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2), Buffer.from("<html>")]);
  expect((await send(photo, "Image/JPEG; charset=utf-7", name)).status).toBe(200);
  const [stored] = await api.sql.query(
    "select metadata ->> 'mimetype' as type, metadata ->> 'size' as size from storage.objects where name = $1",
    [name],
  );
  expect(stored).toEqual({ type: "image/jpeg", size: String(jpeg.length) });
  const served = await api.ask(`/storage/v1/object/public/book-covers/${name}`);
  expect(served.headers.get("content-type")).toBe("image/jpeg");
  expect(Buffer.from(await served.arrayBuffer())).toEqual(jpeg);
});
