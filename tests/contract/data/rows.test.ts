import { expect, test } from "vitest";
import { readRequest } from "#server/api/data/request.ts";
import { isAccepted, rowsResponse } from "#server/api/data/response.ts";
import { callable, type Parts } from "#tests/support/statements.ts";

const single = { accept: "application/vnd.pgrst.object+json" };
const representation = { prefer: "return=representation" };

const askFor = (address: string, { method = "GET", headers = {}, body = null }: Parts = {}) =>
  readRequest(
    { method, headers: new Headers(headers) },
    new URL(`http://shop.example/rest/v1/${address}`),
    body,
  );

const row = (body: string | null, rows: number, total: number | null = null) =>
  [body, String(rows), total === null ? null : String(total), "77"].map((each) =>
    each === null ? null : Buffer.from(each),
  );

const json = "application/json; charset=utf-8";
const object = "application/vnd.pgrst.object+json; charset=utf-8";

type Outcome = [status: number, range: string, type: string | null, length: string | null, body: string];

test.each<[address: string, parts: Parts, answered: ReturnType<typeof row>, outcome: Outcome]>([
  ["books", {}, row("[1,2]", 2), [200, "0-1/*", json, "5", "[1,2]"]],
  ["books?offset=4", {}, row("[1,2]", 2, 6), [206, "4-5/6", json, "5", "[1,2]"]],
  ["books", {}, row("[1,2]", 2, 2), [200, "0-1/2", json, "5", "[1,2]"]],
  ["books", {}, row("[]", 0, 0), [200, "*/0", json, "2", "[]"]],
  ["books?offset=2", {}, row("[]", 0, 2), [206, "*/2", json, "2", "[]"]],
  ["books?offset=9", {}, row("[]", 0), [200, "*/*", json, "2", "[]"]],
  ["books", { headers: single }, row("{}", 1), [200, "0-0/*", object, "2", "{}"]],
  ["books", { method: "HEAD" }, row("", 2, 3), [206, "0-1/3", json, null, ""]],
  ["books", { method: "HEAD", headers: single }, row("", 1), [200, "0-0/*", object, null, ""]],
  ["books", { method: "POST" }, row("", 2), [201, "*/*", null, "0", ""]],
  ["books", { method: "POST", headers: representation }, row("[1]", 1), [201, "*/*", json, "3", "[1]"]],
  ["books?a=eq.1", { method: "PATCH" }, row("", 2), [204, "0-1/*", null, null, ""]],
  [
    "books?a=eq.1",
    { method: "PATCH", headers: representation },
    row("[1]", 1),
    [200, "0-0/*", json, "3", "[1]"],
  ],
  ["books?a=eq.1", { method: "DELETE" }, row("", 0), [204, "*/*", null, null, ""]],
  ["books?a=eq.1", { method: "PATCH", headers: single }, row("", 1), [204, "0-0/*", null, null, ""]],
  [
    ...([
      "books?a=eq.1",
      { method: "PATCH", headers: { ...single, ...representation } },
      row("{}", 1),
    ] as const),
    [200, "0-0/*", object, "2", "{}"],
  ],
])("The response to %s %j", async (address, parts, answered, outcome) => {
  const response = rowsResponse(askFor(address, parts), answered);
  const header = (name: string) => response.headers.get(name);
  expect([
    response.status,
    header("content-range"),
    header("content-type"),
    header("content-length"),
    await response.text(),
  ]).toEqual(outcome);
});

test("A call's response is a list, one value, or nothing", async () => {
  const call = askFor("rpc/ping", { method: "POST", body: "{}", headers: single });
  const nothing = rowsResponse(call, row("", 1), callable("ping", { returns: "nothing" }));
  expect([nothing.status, nothing.headers.get("content-range"), await nothing.text()]).toEqual([
    204,
    "0-0/*",
    "",
  ]);
  expect(await rowsResponse(call, row("7", 2), callable("ping")).text()).toBe("7");
  const list = callable("ping", { returns: "rows", returnsSet: true });
  expect(() => rowsResponse(call, row("[]", 2), list)).toThrow("Cannot coerce");
  expect(rowsResponse(call, row("[]", 1), list).status).toBe(200);
});

test.each<[string, Parts, number]>([
  ["books", { headers: single }, 0],
  ["books", { headers: single }, 2],
  ["books", { headers: single, method: "HEAD" }, 2],
  ["books", { method: "POST", headers: { ...single, ...representation } }, 2],
  ["books?a=eq.1", { method: "PATCH", headers: single }, 2],
])("A single object is refused when there is not exactly one: %s %j, %i", (address, parts, rows) => {
  const refused = { status: 406, code: "PGRST116", details: `The result contains ${rows} rows`, headers: {} };
  expect(() => rowsResponse(askFor(address, parts), row("[]", rows))).toThrow(
    expect.objectContaining({ ...refused, message: "Cannot coerce the result to a single JSON object" }),
  );
});

test("A response that is too large is refused with its size, an offset beyond the end with the range", () => {
  expect(() => rowsResponse(askFor("books"), row(null, 3))).toThrow(
    expect.objectContaining({
      status: 400,
      code: "PT400",
      details: '{"code":"too_many_rows","bytes":77}',
      message: "These are too many rows at once. Please choose fewer.",
    }),
  );
  expect(() => rowsResponse(askFor("books?offset=9"), row("[]", 0, 8))).toThrow(
    expect.objectContaining({
      status: 416,
      code: "PGRST103",
      message: "Requested range not satisfiable",
      details: "An offset of 9 was requested, but there are only 8 rows.",
      headers: { "content-range": "*/8" },
    }),
  );
});

test("A change of a single object is accepted when it affects one row", () => {
  const accepts = isAccepted(askFor("books?a=eq.1", { method: "DELETE", headers: single }));
  expect([accepts(row("", 1)), accepts(row("", 0)), accepts(row("", 2))]).toEqual([true, false, false]);
  expect(isAccepted(askFor("books?a=eq.1", { method: "DELETE" }))(row("", 2))).toBe(true);
});
