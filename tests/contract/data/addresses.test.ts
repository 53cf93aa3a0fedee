import { expect, test } from "vitest";
import { readRequest } from "#server/api/data/request.ts";
import { Refusal } from "#server/lib/refusal.ts";
import { many, type Parts, patch, post, refusalOf, schema, statementOf } from "#tests/support/statements.ts";

const read = (address: string, { method = "GET", headers = {}, body = null }: Parts = {}) =>
  readRequest(
    { method, headers: new Headers(headers) },
    new URL(`http://shop.example/rest/v1/${address}`),
    body,
  );

test("Spaces between the parts of a parameter mean nothing", () => {
  expect(read("books?select= id , title , lines( id )").select).toEqual(
    read("books?select=id,title,lines(id)").select,
  );
  expect(read("books?select=%20").select).toEqual([{ kind: "all" }]);
  expect(read("books?select=").select).toEqual([{ kind: "all" }]);
  expect(read("books?order= title.desc , id ").order).toEqual(read("books?order=title.desc,id").order);
  expect(read("books?or=( price.eq.1 , and( price.gt.2 ))").filter).toEqual(
    read("books?or=(price.eq.1 ,and(price.gt.2 ))").filter,
  );
  expect(read('books?columns= "a" , b ', post({ a: 1 })).columns).toEqual(["a", "b"]);
});

test("A plus is a space, a parameter may have no value, and the key is ignored", () => {
  expect(read("books?title=eq.a+b&apikey=sb_x&&").filter).toEqual([
    { kind: "compare", column: "title", operator: "eq", value: "a b", not: false },
  ]);
  expect(refusalOf("books?title", {}).message).toBe('The parameter "title" cannot be read.');
  expect(refusalOf("books?=eq.1", {}).message).toBe("column books. does not exist");
});

test.each<[string, string, Parts, number, number | null]>([
  ["a page", "books", { headers: { range: "24-47" } }, 24, 24],
  ["all that follow", "books", { headers: { range: "24-" } }, 24, null],
  ["a page that ends before it begins", "books", { headers: { range: "24-3" } }, 24, 0],
  ["what is no range", "books", { headers: { range: "bytes=24-47" } }, 0, null],
  ["what only begins like one", "books", { headers: { range: "24-47x" } }, 0, null],
  ["an address with a limit", "books?limit=5", { headers: { range: "24-47" } }, 0, 5],
  ["an address with an offset", "books?offset=5", { headers: { range: "24-47" } }, 5, null],
  ["a call with a body", "rpc/shelf", { ...post({}), headers: { range: "24-47" } }, 0, null],
])("A range requests %s", (_, address, parts, offset, limit) => {
  expect(read(address, parts)).toMatchObject({ offset, limit });
});

test("A call's URL holds its arguments, or filters if it has a body", () => {
  for (const method of ["GET", "HEAD"])
    expect([...read("rpc/shelf?_q=a", { method }).args]).toEqual([["_q", "a"]]);
  const posted = read("rpc/shelf?title=eq.a", post({}));
  expect([posted.args.size, posted.filter.length]).toEqual([0, 1]);
});

test("Only the body of a write must be JSON", () => {
  const headers = { "content-type": "text/csv" };
  expect(() => read("books", { headers })).not.toThrow();
  expect(() => read("books?id=eq.1", { method: "DELETE", headers })).not.toThrow();
  expect(() => read("rpc/ping", { method: "POST", headers })).not.toThrow();
  expect(() =>
    read("books", { ...post({}), headers: { "content-type": "Application/JSON ; charset=utf-8" } }),
  ).not.toThrow();
});

test("Preferences that have no effect here are ignored", () => {
  const headers = { prefer: "xcount=planned, my-resolution=1 ,count=exact, return=representation" };
  expect(read("books", { headers }).prefer).toEqual({ count: true, representation: true });
  expect(refusalOf("books", { headers: { prefer: "count=exactly" } }).message).toBe(
    "Prefer: count=exactly is not offered here.",
  );
});

test("A table's name is the whole path", () => {
  const url = new URL("http://shop.example/x/rest/v1/books");
  expect(() => readRequest({ method: "GET", headers: new Headers() }, url, null)).toThrow(Refusal);
});

test("The maximum of embedding, selecting and nesting is allowed, whatever else is requested", () => {
  expect(read("a?select=b(x),c(x),d(x),e(x)").select).toHaveLength(4);
  expect(read(`a?columns=${many(100, "x")}`, post({})).columns).toHaveLength(100);
  expect(refusalOf("books?or=(not.and(not.or(not.and(price.eq.1))))", {}).message).toContain("nested 3 deep");
  expect(read("books?select=count").select).toEqual([{ kind: "column", name: "count", alias: null }]);
  expect(refusalOf("lines?select=books()", {}).message).toBe('The parameter "select" cannot be read.');
  expect(refusalOf("lines?select=books(count())", {}).message).toBe('The parameter "select" cannot be read.');
});

test("A column named like a condition is a column", () => {
  expect(read("books?or=(and.eq.1,or.eq.2)").filter[0]).toMatchObject({
    conditions: [{ column: "and" }, { column: "or" }],
  });
});

test("Rows of a table with a key of two columns are locked by both, those without a key not at all", () => {
  const ids = { id: "uuid", place: "int4" };
  const columns = new Map(Object.entries(ids).map(([name, type]) => [name, { name, type }]));
  const table = { name: "pairs", columns, relations: [], lockableBy: new Set(["authenticated"]) };
  schema.tables.set("pairs", { ...table, key: ["id", "place"] });
  schema.tables.set("loose", { ...table, name: "loose", key: [] });
  const where = (address: string) =>
    / where (.*) returning 1/.exec(statementOf(address, { method: "DELETE" }).text)?.[1];
  expect(where("pairs?id=eq.1&place=eq.2")).toBe(
    '(t0."id" = ($1::text)::uuid) and (t0."place" = ($2::text)::int4)',
  );
  for (const address of ["pairs?id=eq.1", "pairs?id=eq.1&id=eq.2", "pairs?id=eq.1&place=in.(2)"])
    expect(where(address)).toMatch(
      /^\(t0\."id", t0\."place"\) in \(select t0\."id", t0\."place" from .* order by t0\."id", t0\."place" for update\)$/,
    );
  expect(where("loose?id=gt.1")).toBe('(t0."id" > ($1::text)::uuid)');
  expect(statementOf("pairs?id=eq.1&place=eq.2", patch({ id: "2", place: 1 })).text).toContain(
    'set "id" = b."id", "place" = b."place" from',
  );
  schema.tables.delete("pairs");
  schema.tables.delete("loose");
});
