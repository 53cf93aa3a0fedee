import { describe, expect, test } from "vitest";
import { fc } from "#tests/support/properties.ts";
import { Refusal } from "../../lib/refusal.ts";
import { bounds } from "./query.ts";
import { readRequest } from "./request.ts";

type Parts = { method?: string; headers?: Record<string, string>; body?: string | null };

function read(address: string, { method = "GET", headers = {}, body = null }: Parts = {}) {
  const url = new URL(`http://shop.example/rest/v1/${address}`);
  return readRequest({ method, headers: new Headers(headers) }, url, body);
}

function refusalOf(address: string, parts: Parts = {}): Refusal {
  try {
    read(address, parts);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`${address} was not refused`);
}

describe("A request of the data API", () => {
  test("reads the shop's own requests", () => {
    const parsed = read(
      "orders?select=id,items:order_items(id,book:books(id,title))&user_id=eq.7&order=created_at.desc,id.desc.nullslast&limit=20&offset=40",
      { headers: { prefer: "count=exact" } },
    );
    expect(parsed).toMatchObject({
      target: { kind: "table", name: "orders" },
      select: [
        { kind: "column", name: "id" },
        {
          kind: "embed",
          name: "order_items",
          alias: "items",
          select: [{ name: "id" }, { kind: "embed", name: "books", alias: "book" }],
        },
      ],
      filter: [{ kind: "compare", column: "user_id", operator: "eq", value: "7", not: false }],
      order: [
        { column: "created_at", descending: true, nulls: null },
        { column: "id", descending: true, nulls: "last" },
      ],
      limit: 20,
      offset: 40,
      prefer: { count: true, representation: false },
    });
  });

  test("keeps a value unchanged, with commas, dots, quotes and brackets", () => {
    const value = `a,b.c("d")\\ü`;
    expect(read(`books?title=eq.${encodeURIComponent(value)}`).filter).toMatchObject([{ value }]);
  });

  test("reads a search text for six columns, with its wildcards escaped", () => {
    const columns = ["title", "publisher", "course", "subject", "isbn", "description"];
    const tree = columns.map((column) => `${column}.ilike."%100\\\\%\\\\_%"`).join(",");
    expect(read(`books?or=${encodeURIComponent(`(${tree})`)}`).filter).toMatchObject([
      { kind: "or", conditions: columns.map((column) => ({ column, value: "%100\\%\\_%" })) },
    ]);
  });

  test("reads and, or and not, with quoted values", () => {
    const tree = encodeURIComponent(
      '(title.ilike."a,b",not.and(price.gte.5,price.not.lt.9),id.in.("x","y z"),isbn.is.null)',
    );
    expect(read(`books?or=${tree}`).filter).toEqual([
      {
        kind: "or",
        not: false,
        conditions: [
          { kind: "compare", column: "title", operator: "ilike", value: "a,b", not: false },
          {
            kind: "and",
            not: true,
            conditions: [
              { kind: "compare", column: "price", operator: "gte", value: "5", not: false },
              { kind: "compare", column: "price", operator: "lt", value: "9", not: true },
            ],
          },
          { kind: "in", column: "id", values: ["x", "y z"], not: false },
          { kind: "is", column: "isbn", value: "null", not: false },
        ],
      },
    ]);
  });

  test("takes a page from the URL, otherwise from the header Range", () => {
    expect(read("books", { headers: { range: "24-47" } })).toMatchObject({ offset: 24, limit: 24 });
    expect(read("books?limit=5", { headers: { range: "24-47" } })).toMatchObject({ offset: 0, limit: 5 });
  });

  test("keeps a function's arguments in a URL apart from paging", () => {
    const parsed = read("rpc/search_books?_q=a&limit=3");
    expect([[...parsed.args], parsed.limit]).toEqual([[["_q", "a"]], 3]);
  });

  test.each([
    ["a regular expression", "books?description=match.(.%2B)(.%2B)\\1\\2"],
    ["a regular expression without case", "books?title=imatch.a"],
    ["a regular expression inside or", "books?or=(title.match.a,price.eq.1)"],
    ["full text", `books?title=fts.${"!".repeat(50)}`],
    ["full text in a language", "books?title=plfts(english).a"],
    ["arrays and ranges", "books?title=cs.{a}"],
    ["a modifier", "books?title=like(any).{a,b}"],
    ["a cast", "books?select=price::text"],
    ["an aggregate", "books?select=price.sum()"],
    ["a count", "books?select=count()"],
    ["JSON", "books?select=a->b"],
    ["spreading", "books?select=...order_items(id)"],
    ["an inner join", "books?select=id,order_items!inner(id)"],
    ["a filter on an embedded table", "orders?order_items.id=eq.1"],
    ["upserting", "books?on_conflict=id"],
  ])("refuses %s with 400 and a message", (_, address) => {
    const refusal = refusalOf(address);
    expect([refusal.status, refusal.message]).toEqual([
      400,
      expect.stringMatching(/ is not offered here\.$/),
    ]);
  });

  test.each([
    ["embeds that are too deep", "orders?select=a(b(c(d)))"],
    ["too many embeds", "orders?select=a(x),b(x),c(x),d(x),e(x)"],
    [
      "too many conditions",
      `books?or=(${Array(bounds.conditions + 1)
        .fill("price.eq.1")
        .join(",")})`,
    ],
    [
      "too many conditions in several parameters",
      Array(bounds.conditions + 1)
        .fill("price=eq.1")
        .join("&")
        .replace(/^/, "books?"),
    ],
    ["conditions nested too deep", "books?or=(and(or(and(price.eq.1))))"],
    [
      "a long list",
      `books?price=in.(${Array(bounds.values + 1)
        .fill("1")
        .join(",")})`,
    ],
    ["a long pattern", `books?title=ilike.${"a".repeat(bounds.patternCharacters + 1)}`],
    ["a pattern with wildcards inside", "books?title=ilike.%25a%25b%25"],
    ["a pattern that leaves letters open", "books?title=ilike.%25a_%25"],
    [
      "a seventh pattern",
      `books?or=(${Array(bounds.patterns).fill("title.ilike.*a*").join(",")})&title=ilike.*b*`,
    ],
    ["too many columns to order by", "books?order=a,b,c,d,e,f"],
  ])("refuses %s with 400", (_, address) => {
    expect(refusalOf(address).status).toBe(400);
  });

  test("refuses a URL that is too long with 414, and an offset that is too large with 416", () => {
    expect(refusalOf(`books?title=eq.${"a".repeat(bounds.queryCharacters)}`).status).toBe(414);
    expect(refusalOf(`books?offset=${bounds.offset + 1}`).status).toBe(416);
  });

  test("refuses other methods, types and schemas as a hosted project does", () => {
    expect(refusalOf("books", { method: "PUT" }).status).toBe(405);
    expect(refusalOf("rpc/search_books", { method: "DELETE" }).status).toBe(405);
    expect(refusalOf("books", { headers: { accept: "text/csv" } }).status).toBe(406);
    expect(refusalOf("books", { headers: { "accept-profile": "auth" } }).status).toBe(406);
    const csv = { method: "POST", headers: { "content-type": "text/csv" }, body: "a" };
    expect(refusalOf("books", csv).status).toBe(415);
    expect(refusalOf("books", { headers: { prefer: "resolution=merge-duplicates" } }).status).toBe(400);
    expect(refusalOf("a/b").status).toBe(404);
  });

  const piece = fc.constantFrom(
    ...'(),.:"\\*%_!->=&'.split(""),
    "select=",
    "or=",
    "order=",
    "in.",
    "not.",
    "is.",
    "eq.",
    "and(",
    "books",
    "price",
    "%00",
    "%ff",
    "ü",
    "limit=",
    "9",
  );
  const search = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
  );

  test("is either read or refused below 500, whatever the URL says", () => {
    fc.assert(
      fc.property(fc.constantFrom("GET", "HEAD", "POST", "PATCH", "DELETE"), search, (method, text) => {
        try {
          read(`books?${text}`, { method, body: "{}" });
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          expect((error as Refusal).status).toBeLessThan(500);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
