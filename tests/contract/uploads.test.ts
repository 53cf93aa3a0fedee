import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
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
    asked.push(await api.askUploader(cover, person));
  expect(asked.map(({ status }) => status)).toEqual([400, 400, 400, 204]);
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
  expect((await api.askUploader(path, await api.newPerson("admin"))).status).toBe(400);
});

test("A cover of more than 6 MB is refused, even from an admin", async () => {
  const admin = await api.newPerson("admin");
  const send = (bytes: number, type = "image/jpeg") =>
    api.ask(cover, { as: admin, body: "x".repeat(bytes), headers: { "content-type": type } });
  expect((await send(6 * 1024 * 1024 + 1)).status).toBe(413);
  expect((await send(100)).status).toBe(200);
  expect((await send(100)).status).toBe(400);
  expect((await send(100, "text/html")).status).toBe(400);
});
