import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readAddress } from "#server/api/storage/address.ts";
import { listObjects, removeObjects } from "#server/api/storage/objects.ts";
import { invalid, notFound, storageRefusalResponse } from "#server/api/storage/refusals.ts";
import { Refusal } from "#server/lib/refusal.ts";
import { exchange, json } from "#tests/support/exchange.ts";

/* The storage's pieces without a database: what they ask it, and what they make of its answer. */

const root = "/storage/v1/object";

test.each([
  ["/covers/a/b.jpg", { call: "object", bucket: "covers", name: "a/b.jpg" }],
  ["/covers", { call: "object", bucket: "covers", name: "" }],
  ["/public/covers/a.jpg", { call: "public", bucket: "covers", name: "a.jpg" }],
  ["/list/covers", { call: "list", bucket: "covers", name: "" }],
  ["/authenticated/covers/a%20b.jpg", { call: "authenticated", bucket: "covers", name: "a b.jpg" }],
  [`/${"c".repeat(100)}/${"n".repeat(1000)}`, { bucket: "c".repeat(100), name: "n".repeat(1000) }],
  ["/covers/%21-.*'()%20&$@=;:+,%3F_", { name: "!-.*'() &$@=;:+,?_" }],
  ["/signs/a", { bucket: "signs" }],
  ["/resign/a", { bucket: "resign" }],
])("The URL %s", (path, address) => {
  expect(readAddress(root + path)).toMatchObject(address);
});

test.each([
  "/sign/a",
  "/upload/a",
  "/info/a",
  "/move",
  "/copy",
  "/a b/c",
  "/covers/a%00",
  "/covers/a%5Cb",
  "/covers/%ff",
  "/covers/ü",
  `/${"c".repeat(101)}/a`,
  `/covers/${"n".repeat(1001)}`,
  "",
  "/",
  "/covers/",
])("There is nothing at %s", (path) => {
  expect(() => readAddress(root + path)).toThrow(
    expect.objectContaining({
      status: 404,
      code: "not_found",
      message: "There is nothing at this address.",
    }),
  );
});

test("There is nothing outside the storage's own URL", () => {
  for (const path of [`/x${root}/covers/a`, "/storage/v1/bucket/covers"])
    expect(() => readAddress(path)).toThrow("There is nothing at this address.");
});

test.each<[Refusal, number, object]>([
  [notFound(), 400, { statusCode: "404", error: "not_found", message: "Object not found" }],
  [invalid("No."), 400, { statusCode: "400", error: "invalid_request", message: "No." }],
  [
    ...([new Refusal(429, "PT429", "Wait.", '{"code": "too_many"}', { "retry-after": "9" }), 429] as const),
    { statusCode: "429", error: "too_many", message: "Wait." },
  ],
  [new Refusal(409, "PT409", "No."), 409, { statusCode: "409", error: "PT409", message: "No." }],
  [new Refusal(400, "XPT409", "No."), 400, { statusCode: "400", error: "invalid_request", message: "No." }],
  [new Refusal(400, "PT4099", "No."), 400, { statusCode: "400", error: "invalid_request", message: "No." }],
  [new Refusal(500, "PT500", "Oh."), 500, { statusCode: "500", error: "PT500", message: "Oh." }],
  [new Refusal(401, "PGRST301", "Who?"), 400, { statusCode: "403", error: "Unauthorized", message: "Who?" }],
  [
    ...([new Refusal(403, "42501", "table objects"), 400] as const),
    { statusCode: "403", error: "Unauthorized", message: "new row violates row-level security policy" },
  ],
  [
    ...([new Refusal(409, "23505", "objects_key"), 400] as const),
    { statusCode: "409", error: "Duplicate", message: "The resource already exists" },
  ],
  [new Refusal(413, "PT413", "Too much."), 413, { statusCode: "413", error: "PT413", message: "Too much." }],
  [
    new Refusal(413, "PGRST100", "Too much."),
    413,
    { statusCode: "413", error: "invalid_request", message: "Too much." },
  ],
])("A refusal is worded as by a hosted project's storage: %s", async (refusal, status, body) => {
  const response = storageRefusalResponse(refusal);
  expect([response.status, await response.json()]).toEqual([status, body]);
  expect(response.headers.get("retry-after")).toBe(refusal.headers["retry-after"] ?? null);
});

test("A list contains what is directly in a folder, in order and in pages", async () => {
  const body = json({
    prefix: "a",
    limit: 5000,
    offset: 7,
    search: "x",
    sortBy: { column: "updated_at", order: "desc" },
  });
  const { exchange: call, asked } = await exchange({ body, name: "" }, ["[1]", "1"]);
  const response = await listObjects(call);
  expect([response.headers.get("content-type"), await response.text()]).toEqual([
    "application/json; charset=utf-8",
    "[1]",
  ]);
  expect(asked[0]?.text).toMatch(/order by updated_at desc, name limit 1000 offset 7\b/);
  expect(asked[0]?.values).toEqual(["a/", "covers", "x"]);
  const usual = await exchange({ body: json({ prefix: "b/" }) });
  expect(await (await listObjects(usual.exchange)).text()).toBe("[]");
  expect(usual.asked[0]?.text).toMatch(/order by name asc, name limit 100 offset 0\b/);
  expect(usual.asked[0]?.values).toEqual(["b/", "covers", ""]);
  const whole = await exchange({ body: json({ sortBy: { column: "created_at" } }) });
  await listObjects(whole.exchange);
  expect([whole.asked[0]?.values[0], whole.asked[0]?.text]).toEqual([
    "",
    expect.stringContaining("by created_at asc"),
  ]);
  for (const column of ["name", "last_accessed_at"])
    await listObjects((await exchange({ body: json({ limit: 0, sortBy: { column } }) })).exchange);
  await listObjects((await exchange({ body: json({ limit: 1_000_000, offset: 1_000_000 }) })).exchange);
});

test.each<[unknown, string]>([
  [{ prefix: 1 }, "The body cannot be read."],
  [{ prefix: "\0" }, "The body cannot be read."],
  [{ search: 1 }, "The body cannot be read."],
  [{ limit: -1 }, "The body cannot be read."],
  [{ limit: 1.5 }, "The body cannot be read."],
  [{ limit: "1" }, "The body cannot be read."],
  [{ offset: 1_000_001 }, "The body cannot be read."],
  [[], "The body cannot be read."],
  [null, "The body cannot be read."],
  ["a", "The body cannot be read."],
  [{ sortBy: { column: "id; drop table" } }, "The order cannot be read."],
])("A list of %j is refused", async (value, message) => {
  const { exchange: call } = await exchange({ body: json(value) });
  await expect(listObjects(call)).rejects.toMatchObject({ status: 400, code: "invalid_request", message });
});

test("Files are removed with their rows, by address or by name", async () => {
  const rows = JSON.stringify([{ name: "a.jpg", version: null }]);
  const one = await exchange({}, [rows, "1"]);
  await one.files.write({ bucket: "covers", name: "a.jpg", version: null }, Buffer.from("x"));
  const path = one.files.path({ bucket: "covers", name: "a.jpg", version: null });
  expect(await readFile(path, "utf8")).toBe("x");
  expect(await (await removeObjects(one.exchange)).json()).toEqual({ message: "Successfully deleted" });
  await expect(readFile(path)).rejects.toThrow("ENOENT");
  expect(one.asked[0]?.values).toEqual(["covers", '{"a.jpg"}']);
  const many = await exchange({ name: "", body: json({ prefixes: ["a", "b"] }) }, [rows, "1"]);
  expect(await (await removeObjects(many.exchange)).json()).toEqual(JSON.parse(rows));
  expect(many.asked[0]?.values[1]).toBe('{"a","b"}');
  const none = await exchange({}, ["[]", "0"]);
  await expect(removeObjects(none.exchange)).rejects.toMatchObject({
    status: 404,
    message: "Object not found",
  });
  const empty = await exchange({ name: "", body: json({ prefixes: [] }) }, ["[]", "0"]);
  expect(await (await removeObjects(empty.exchange)).json()).toEqual([]);
});

test.each<[unknown]>([
  [{}],
  [{ prefixes: "a" }],
  [{ prefixes: [1] }],
  [{ prefixes: ["a", "\0"] }],
  [{ prefixes: Array(1001).fill("a") }],
])("Unreadable names remove nothing: %#", async (value) => {
  const { exchange: call, asked } = await exchange({ name: "", body: json(value) });
  await expect(removeObjects(call)).rejects.toMatchObject({ message: "The body cannot be read." });
  await expect(removeObjects({ ...call, body: null })).rejects.toMatchObject({
    message: "The body cannot be read.",
  });
  expect(asked).toEqual([]);
});

test("A thousand names can be removed", async () => {
  const { exchange: call } = await exchange({ name: "", body: json({ prefixes: Array(1000).fill("a") }) }, [
    "[]",
    "0",
  ]);
  expect((await removeObjects(call)).status).toBe(200);
});
