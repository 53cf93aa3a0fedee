import fc from "fast-check";
import { bodyOf, jsonType, query, record, request } from "./parts.ts";
import {
  argumentName,
  columnName,
  encoded,
  filter,
  functionName,
  ownCall,
  percent,
  tableName,
} from "./words.ts";

const tableQuery = query(
  fc.oneof(
    { weight: 3, arbitrary: fc.tuple(columnName.map(addressable), filter) },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom("select", "order", "columns", "on_conflict"),
        fc.array(columnName.map(addressable), { maxLength: 4 }).map((names) => names.join(",")),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom("limit", "offset"),
        fc.constantFrom("0", "-1", "1", "1e9", "99999999999999999999", "a", ""),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom("or", "and", "not.or"),
        fc
          .array(fc.tuple(columnName.map(addressable), filter), { maxLength: 3 })
          .map((parts) => `(${parts.map(([a, b]) => `${a}.${b}`).join(",")})`),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(encoded, encoded) },
  ),
);

/** Column expressions as written in a URL. */
function addressable(name: string): string {
  return name.replace(/[ "<>\\^`{|}]/g, (sign) => percent(sign));
}

export const rows = request({
  method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"),
  target: fc.tuple(tableName, tableQuery).map(([table, search]) => `/rest/v1/${table}${search}`),
  headers: fc.constantFrom<[string, string][]>(
    [jsonType],
    [jsonType],
    [["Content-Type", "text/csv"]],
    [["Content-Type", "application/x-www-form-urlencoded"]],
    [],
  ),
  body: fc.oneof(
    { weight: 2, arbitrary: bodyOf(record(columnName)) },
    { weight: 1, arbitrary: bodyOf(fc.array(record(columnName), { maxLength: 3 })) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
});

export const calls = fc.oneof(
  ownCall.chain(({ name, given }) =>
    request({
      method: fc.constant("POST"),
      target: fc.constant(`/rest/v1/rpc/${name}`),
      headers: fc.constant([jsonType]),
      body: fc.constant(Buffer.from(JSON.stringify(given))),
    }),
  ),
  request({
    method: fc.constantFrom("POST", "POST", "POST", "PUT"),
    target: functionName.map((name) => `/rest/v1/rpc/${name}`),
    headers: fc.constantFrom<[string, string][]>([jsonType], [jsonType], []),
    body: bodyOf(record(argumentName, 4)),
  }),
  request({
    method: fc.constantFrom("GET", "HEAD"),
    target: fc
      .tuple(functionName, query(fc.tuple(argumentName, encoded)), fc.option(tableQuery, { nil: "" }))
      .map(
        ([name, search, more]) =>
          `/rest/v1/rpc/${name}${search}${search && more ? `&${more.slice(1)}` : more}`,
      ),
  }),
);

const wide = "%25a%25o%25z%25q%25";

/** Requests that would keep a database busy for minutes where they were let in. */
export const expensive = request({
  method: fc.constantFrom("GET", "GET", "HEAD"),
  target: fc.oneof(
    fc.constantFrom(
      "/rest/v1/books?description=match.(.%2B)(.%2B)(.%2B)%5C1%5C2%5C3",
      `/rest/v1/books?title=fts.${"!".repeat(50)}`,
      "/rest/v1/orders?select=*,order_items(*,orders(*,order_items(*,orders(*))))",
      "/rest/v1/profiles?select=*,orders(*,order_items(*))",
      "/rest/v1/books?select=*,order_items(*,orders(*))&order=description",
      "/rest/v1/books?offset=999999&order=description.desc",
      "/rest/v1/rpc/list_book_facets?_q=e",
      "/rest/v1/rpc/search_books?_search=(e,,,,,,,,,,,999999,1000,,,,)",
    ),
    fc.tuple(fc.constantFrom("books", "orders", "profiles"), fc.nat(40)).map(
      ([table, count]) =>
        `/rest/v1/${table}?or=(${Array(count + 1)
          .fill(`id.neq.${wide}`)
          .join(",")})`,
    ),
    fc.nat(30).map(
      (count) =>
        `/rest/v1/books?or=(${Array(count + 1)
          .fill(`description.ilike.${wide}`)
          .join(",")})`,
    ),
    fc.nat(600).map(
      (count) =>
        `/rest/v1/books?title=in.(${Array(count + 1)
          .fill("a")
          .join(",")})`,
    ),
    fc.nat(8).map((depth) => `/rest/v1/books?or=${"(and".repeat(depth)}(price.eq.1)${")".repeat(depth)}`),
  ),
});
