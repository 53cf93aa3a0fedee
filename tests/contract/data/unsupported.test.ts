import { expect, test } from "vitest";
import { type Parts, post, refusalOf } from "#tests/support/statements.ts";

/* The whole response to a client: it shows the message, and status and code decide what it does. */

const notOffered: [what: string, address: string, parts?: Parts][] = [
  ["Inserting or updating in one call", "books?on_conflict=id"],
  ["A filter inside JSON or on an embedded table", "books?title->a=eq.1"],
  ["A filter inside JSON or on an embedded table", "books?lines.id=eq.1"],
  ["Reading inside JSON", "books?or=(title->a.eq.1)"],
  ["Reading inside JSON", "books?select=title->a"],
  ["Reading inside JSON", "books?order=title->a"],
  ['The operator "match"', "books?title=match.a"],
  ['The operator "like" with a modifier or a language', "books?title=like(any).a"],
  ["Spreading an embedded table", "lines?select=...books(id)"],
  ["Casting a column", "books?select=price::text"],
  ["Casting a column", "books?select=a:price::text"],
  ["An alias that is not a plain word", 'books?select="a b":price'],
  ["An aggregate", "books?select=price.sum()"],
  ["An aggregate", "books?select=count()"],
  ["!inner", "lines?select=books!inner(id)"],
  ["!left", "lines?select=books!left(id)"],
  ["Ordering by an embedded table", "lines?order=books(title)"],
  ["Prefer: missing=default", "books", { headers: { prefer: "return=minimal, missing=default" } }],
  ["Prefer: count=planned", "books", { headers: { prefer: "count=planned" } }],
  [`Prefer: resolution=${"a".repeat(29)}`, "books", { headers: { prefer: `resolution=${"a".repeat(60)}` } }],
  ["Ordering or limiting a change", "books?id=eq.1&order=id", { method: "DELETE" }],
  ["Ordering or limiting a change", "books?id=eq.1&limit=1", { method: "DELETE" }],
  ["Ordering or limiting a change", "books?id=eq.1&offset=1", { method: "DELETE" }],
  [
    "Embedding in the answer to a change",
    "lines?select=id,books(id)",
    { ...post({ id: 1 }), headers: { prefer: "return=representation" } },
  ],
  ["Inserting several rows without a column", "books", post([{}, {}])],
  ["Filtering what is not a list of rows", "rpc/ping?a=eq.1"],
  ["Filtering what is not a list of rows", "rpc/ping?order=a"],
  ["Filtering what is not a list of rows", "rpc/ping?limit=1"],
  ["Filtering what is not a list of rows", "rpc/ping?offset=1"],
];

test.each(notOffered)("This is refused as unsupported: %s (%s)", (what, address, parts = {}) => {
  expect(refusalOf(address, parts)).toMatchObject({
    status: 400,
    code: "PGRST100",
    message: `${what} is not offered here.`,
    details: null,
    headers: {},
  });
});

const unreadable: [what: string, address: string, parts?: Parts][] = [
  ['The parameter "limit"', "books?limit=x"],
  ['The parameter "limit"', "books?limit=x1"],
  ['The parameter "limit"', "books?limit=1x"],
  ['The parameter "limit"', `books?limit=${"1".repeat(16)}`],
  ['The parameter "offset"', "books?offset=-1"],
  ['The parameter "select"', "books?select=a,"],
  ['The parameter "select"', "books?select=a)"],
  ['The parameter "select"', "books?select=a!b"],
  ['The parameter "select"', "lines?select=books(id"],
  ['The parameter "order"', "books?order=title.up"],
  ['The parameter "order"', "books?order=title.xdesc"],
  ['The parameter "order"', "books?order=title.descx"],
  ['The parameter "order"', "books?order=title)"],
  ['The parameter "columns"', "books?columns=a)", post({ a: 1 })],
  ['The parameter "or"', "books?or=price.eq.1"],
  ['The parameter "or"', "books?or=(price.eq.1"],
  ['The parameter "or"', "books?or=(price.eq.1)x"],
  ['The parameter "or"', "books?or=(price:eq.1)"],
  ['The parameter "or"', 'books?or=("price.eq.1)'],
  ['The parameter "or"', 'books?or=("price\\'],
  ['The parameter "price"', "books?price=1"],
  ['The parameter "price"', "books?price=eq:1"],
  ['The parameter "price"', "books?price=is.maybe"],
  ['The parameter "price"', "books?price=in.1"],
  ['The parameter "price"', "books?price=in.(1"],
  ['The parameter "price"', "books?price=in.(1)1"],
  ['The parameter "price"', "books?price=in.(1,2))"],
  ['The parameter "price"', "books?price=nothing.1"],
  [`The parameter "${"a".repeat(60)}"`, `books?${"a".repeat(70)}=1`],
  ["The address", "books?title=eq.%ff"],
  ["The address", "books?title=eq.%00"],
  ["The address", "books?%00=eq.1"],
  ["A filter on new rows", "books?id=eq.1", post({ title: "A" })],
];

test.each(unreadable)("This is refused as unreadable: %s (%s)", (what, address, parts = {}) => {
  expect(refusalOf(address, parts)).toMatchObject({
    status: 400,
    code: "PGRST100",
    message: `${what} cannot be read.`,
    details: null,
  });
});
