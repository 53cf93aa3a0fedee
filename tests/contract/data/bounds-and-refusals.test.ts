import { expect, test } from "vitest";
import { bounds } from "#server/api/data/query.ts";
import { many, type Parts, patch, post, refusalOf, statementOf } from "#tests/support/statements.ts";

const tooMuch: [message: string, address: string, parts?: Parts][] = [
  ["At most 100 columns can be selected.", `books?select=${many(bounds.selected + 1, "id")}`],
  ["At most 4 tables can be embedded, 2 deep.", "lines?select=a(b(c(id)))"],
  ["At most 4 tables can be embedded, 2 deep.", "lines?select=a(id),b(id),c(id),d(id),e(id)"],
  ["At most 5 columns can be ordered by.", "books?order=a,b,c,d,e,f"],
  [
    "At most 100 columns can be written at once.",
    `books?columns=${many(bounds.selected + 1, "id")}`,
    post({}),
  ],
  ["Conditions can be nested 3 deep at most.", "books?or=(and(or(and(price.eq.1))))"],
  ["A request can have 24 conditions at most.", `books?or=(${many(bounds.conditions + 1, "price.eq.1")})`],
  ["A request can have 24 conditions at most.", `books?${many(bounds.conditions + 1, "price=eq.1", "&")}`],
  ["A request can have 24 conditions at most.", `books?${many(5, `or=(${many(5, "price.eq.1")})`, "&")}`],
  ["A list can have 500 values at most.", `books?price=in.(${many(bounds.values + 1, "1")})`],
  ["A pattern can have 200 characters at most.", `books?title=ilike.${"a".repeat(201)}`],
  ["A pattern can have 200 characters at most.", `books?title=like.${"a".repeat(201)}`],
  ["A pattern can have 2 wildcards at most.", "books?title=like.*a%25b*"],
];

test.each(tooMuch)("This is refused as too much: %s", (message, address, parts = {}) => {
  expect(refusalOf(address, parts)).toMatchObject({ status: 400, code: "PGRST100", message, details: null });
});

test.each([
  ["columns", `books?select=${many(bounds.selected, "id")}`],
  ["embedded tables", "books?select=id,lines(id)"],
  ["columns to order by", `books?order=${many(bounds.orderTerms, "id")}`],
  ["conditions", `books?or=(${many(bounds.conditions, "price.eq.1")})`],
  ["depth", "books?or=(and(or(price.eq.1)))"],
  ["values", `books?price=in.(${many(bounds.values, "1")})`],
  ["letters of a pattern", `books?title=ilike.${"a".repeat(bounds.patternCharacters)}`],
  ["wildcards", "books?title=like.*a%25"],
  ["an offset", `books?offset=${bounds.offset}`],
  ["an address", `books?title=eq.${"a".repeat(bounds.queryCharacters - "?title=eq.".length)}`],
])("As many %s as are allowed are allowed", (_, address) => {
  expect(statementOf(address)).toHaveProperty("text");
});

test.each<[status: number, code: string, message: string, address: string, parts?: Parts]>([
  [404, "PGRST125", "There is nothing at this address.", "a/b"],
  [404, "PGRST125", "There is nothing at this address.", "%00"],
  [414, "PGRST100", "The address is too long.", `books?title=eq.${"a".repeat(bounds.queryCharacters)}`],
  [406, "PGRST107", "Only JSON is offered here.", "books", { headers: { accept: "text/csv" } }],
  [
    406,
    "PGRST107",
    "Only JSON is offered here.",
    "books",
    { headers: { accept: "application/vnd.pgrst.object+json;nulls=stripped" } },
  ],
  [
    406,
    "PGRST106",
    "Only the schema public is offered here.",
    "books",
    { headers: { "accept-profile": "auth" } },
  ],
  [
    406,
    "PGRST106",
    "Only the schema public is offered here.",
    "books",
    { headers: { "content-profile": "auth" } },
  ],
  [
    415,
    "PGRST102",
    "Only JSON is read here.",
    "books",
    { ...post({}), headers: { "content-type": "text/json" } },
  ],
  [
    415,
    "PGRST102",
    "Only JSON is read here.",
    "books",
    { ...post({}), headers: { "content-type": "x/application/json" } },
  ],
  [
    415,
    "PGRST102",
    "Only JSON is read here.",
    "books",
    { ...post({}), headers: { "content-type": "application/jsonp" } },
  ],
  [
    415,
    "PGRST102",
    "Only JSON is read here.",
    "books?id=eq.1",
    { ...patch({}), headers: { "content-type": "text/csv" } },
  ],
  [
    415,
    "PGRST102",
    "Only JSON is read here.",
    "rpc/ping",
    { ...post({}), headers: { "content-type": "text/csv" } },
  ],
  [404, "PGRST205", "Could not find the table 'public.nothing' in the schema cache", "nothing"],
  [
    404,
    "PGRST205",
    `Could not find the table 'public.${"n".repeat(63)}' in the schema cache`,
    "n".repeat(80),
  ],
  [400, "42703", "column books.nothing does not exist", "books?select=nothing"],
  [400, "42703", "column books.nothing does not exist", "books?nothing=eq.1"],
  [400, "42703", "column books.nothing does not exist", "books?order=nothing"],
  [400, "42883", "column books.price holds no text", "books?price=like.a"],
  [400, "42883", "column books.price holds no text", "books?price=ilike.a"],
  [400, "42804", "column books.title is not true or false", "books?title=is.true"],
  [
    400,
    "PGRST200",
    "Could not find a relationship between 'books' and 'nothing' in the schema cache",
    "books?select=nothing(id)",
  ],
  [
    400,
    "PGRST200",
    `Could not find a relationship between 'books' and '${"n".repeat(63)}' in the schema cache`,
    `books?select=${"n".repeat(80)}(id)`,
  ],
  [
    400,
    "PGRST200",
    "Could not find a relationship between 'lines' and 'books' in the schema cache",
    "lines?select=books!other(id)",
  ],
  [
    300,
    "PGRST201",
    "Could not embed because more than one relationship was found for 'lines' and 'books'",
    "lines?select=books(id)",
  ],
  [400, "PGRST100", "'books' cannot be embedded in itself.", "books?select=lines(books!lines_book(id))"],
  [400, "21000", "UPDATE requires a WHERE clause", "books", patch({ price: 1 })],
  [400, "21000", "DELETE requires a WHERE clause", "books", { method: "DELETE" }],
  [
    400,
    "PGRST204",
    "Could not find the 'nothing' column of 'books' in the schema cache",
    "books",
    post({ nothing: 1 }),
  ],
  [
    400,
    "PGRST204",
    `Could not find the '${"n".repeat(63)}' column of 'books' in the schema cache`,
    "books",
    post({ ["n".repeat(80)]: 1 }),
  ],
  [400, "PGRST102", "All object keys must match", "books", post([{ id: 1 }, { title: "A" }])],
  [400, "PGRST102", "All object keys must match", "books", post([{ id: 1 }, { id: 1, title: "A" }])],
  [400, "PGRST102", "The body must be an object or a list of objects.", "books", post(["A"])],
  [400, "PGRST102", "The body must be an object or a list of objects.", "books", post([null])],
  [400, "PGRST102", "The body must be an object or a list of objects.", "books", post([[]])],
  [400, "PGRST102", "The body must be an object or a list of objects.", "books", post("A")],
  [400, "PGRST102", "The body must be an object.", "books?id=eq.1", patch([])],
  [400, "PGRST102", "The body must be an object.", "books?id=eq.1", patch(null)],
  [400, "PGRST102", "The body must be an object.", "books?id=eq.1", patch(1)],
  [400, "PGRST102", "Empty or invalid json", "books", { method: "POST", body: "{" }],
  [400, "PGRST102", "Empty or invalid json", "books", { method: "POST" }],
  [400, "PGRST102", "The body must be an object.", "rpc/ping", post([])],
  [400, "PGRST102", "The body must be an object.", "rpc/ping", post(null)],
  [400, "PGRST102", "The body must be an object.", "rpc/ping", post(1)],
  [400, "22003", "A number is out of range.", "rpc/find", { method: "POST", body: '{"_q": 1e999}' }],
  [
    404,
    "PGRST202",
    "Could not find the function public.nothing(a, b) in the schema cache",
    "rpc/nothing",
    post({ a: 1, b: 2 }),
  ],
  [
    404,
    "PGRST202",
    `Could not find the function public.${"n".repeat(63)}() in the schema cache`,
    `rpc/${"n".repeat(80)}`,
    post({}),
  ],
  [
    404,
    "PGRST202",
    `Could not find the function public.ping(${"n".repeat(200)}) in the schema cache`,
    "rpc/ping",
    post({ ["n".repeat(300)]: 1 }),
  ],
  [
    404,
    "PGRST202",
    "Could not find the function public.find(_q, other) in the schema cache",
    "rpc/find",
    post({ _q: 1, other: 2 }),
  ],
  [404, "PGRST202", "Could not find the function public.find() in the schema cache", "rpc/find"],
])("The refusal is %i, %s: %s (%s)", (status, code, message, address, parts = {}) => {
  expect(refusalOf(address, parts)).toMatchObject({ status, code, message, details: null, headers: {} });
});

test("A method that is not supported is refused with a list of those that are", () => {
  for (const [address, method] of [
    ["books", "PUT"],
    ["rpc/ping", "PATCH"],
    ["rpc/ping", "DELETE"],
  ] as const)
    expect(refusalOf(address, { method })).toMatchObject({
      status: 405,
      code: "PGRST117",
      message: "This method is not offered here.",
      headers: { allow: "GET, HEAD, POST, PATCH, DELETE" },
    });
});

test("An offset beyond the last row is refused as a range error", () => {
  expect(refusalOf(`books?offset=${bounds.offset + 1}`, {})).toMatchObject({
    status: 416,
    code: "PGRST103",
    message: "Requested range not satisfiable",
    details: "The offset is too large.",
  });
});
