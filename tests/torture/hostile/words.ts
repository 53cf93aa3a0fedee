import fc from "fast-check";
import { publicFunctions, tables } from "#tests/rights/matrix.ts";

/* What hostile requests are made of. */

/** Texts that have broken other programs: quotes, operators of the data API, markup, control and bidi characters. */
const nastyTexts = [
  "",
  " ",
  "'",
  '"',
  "\\",
  "%",
  "_",
  "*",
  "' or '1'='1",
  "'; drop table books; --",
  "1) union select encrypted_password from auth.users --",
  "$$; select pg_sleep(30); $$",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u2066gnp.exe\u2069",
  "\u2028\u2029",
  "\ufeff",
  "<script>alert(1)</script>",
  "</script><img src=x onerror=alert(1)>",
  "<!--",
  "#{7*7}",
  "{{7*7}}",
  "=cmd|' /C calc'!A0",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "null",
  "undefined",
  "NaN",
  "-1",
  "1e400",
  "99999999999999999999999999",
  "0x10",
  "true",
  "[]",
  "{}",
  '{"a":1}',
  "(1,2)",
  "in.(1,2)",
  "eq.1",
  "not.is.null",
  "__proto__",
  "constructor",
  "toString",
  "2026-13-45",
  "infinity",
  "00000000-0000-0000-0000-000000000000",
  "é".repeat(200),
  "👩‍👩‍👧‍👦".repeat(30),
  "a".repeat(5_000),
  "(".repeat(500),
  "a,".repeat(500),
];

export const text = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...nastyTexts) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
  { weight: 1, arbitrary: fc.uuid() },
);

/** Any JSON value, with the usual traps in it. */
export const json: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
      -1,
      1e308,
      2 ** 53,
      0.1,
      [],
      {},
      [[]],
      [null],
    ),
  },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** A part of an address as an attacker writes it: encoded rightly, doubly, not at all, or as no UTF-8 at all. */
export const encoded = fc.oneof(
  { weight: 6, arbitrary: text.map((each) => percent(each)) },
  { weight: 1, arbitrary: text.map((each) => percent(percent(each))) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "%",
      "%%",
      "%zz",
      "%ff",
      "%c0%ae",
      "%e0%80%af",
      "%ed%a0%80",
      "%f8%88%80%80%80",
      "%00",
      "%0d%0aX-Hostile:%201",
      "%u0041",
      "+",
      "%2f",
      "%5c",
      "%2e%2e",
      "..;",
      ";a=b",
      "&&&",
      "=",
      "[]",
      "a[b]=c",
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "binary-ascii", maxLength: 30 })
      .map((each) => each.replace(/[\r\n #]/g, "-")),
  },
);

/** Percent-encoding that lets lone surrogates through, as the bytes that a careless program sends. */
export function percent(value: string): string {
  return [...Buffer.from(value, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

export const tableName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...tables.map(({ name }) => name)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "pg_catalog.pg_authid",
      "auth.users",
      "pg_user",
      "private.scrub",
      "information_schema.tables",
      "rpc",
      "",
      ".",
      "Books",
      "books;drop",
    ),
  },
);

export const functionName = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...publicFunctions.map(({ name }) => name)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "pg_sleep",
      "pg_read_file",
      "private.is_staff",
      "is_admin",
      "set_config",
      "version",
      "",
      "current_setting",
      "lo_import",
    ),
  },
);

export const columnName = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      "id",
      "title",
      "price",
      "user_id",
      "book_id",
      "status",
      "role",
      "quantity",
      "full_name",
      "total_amount",
      "search_text",
      "created_at",
      "rating",
      "isbn",
      "*",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "books(title)",
      "profiles!inner(*)",
      "order_items(books(*))",
      "x:id",
      "id::text",
      "id->>a",
      "count()",
      "title.count()",
      "a->b->>c",
      "books(books(books(*)))",
      "...books(title)",
      "password",
      "ctid",
      "xmin",
      "tableoid",
    ),
  },
  { weight: 1, arbitrary: encoded },
);

const operator = fc.constantFrom(
  "eq",
  "neq",
  "gt",
  "lt",
  "gte",
  "lte",
  "like",
  "ilike",
  "match",
  "imatch",
  "is",
  "isdistinct",
  "in",
  "cs",
  "cd",
  "ov",
  "sl",
  "fts",
  "plfts",
  "phfts",
  "wfts",
  "not.eq",
  "not.in",
  "eq(any)",
  "like(all)",
  "nonsense",
  "",
);

/** A value of a filter. */
export const filter = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(operator, encoded).map(([each, value]) => `${each}.${value}`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(operator, fc.array(encoded, { maxLength: 5 }))
      .map(([each, values]) => `${each}.(${values.join(",")})`),
  },
  { weight: 1, arbitrary: fc.tuple(operator, encoded).map(([each, value]) => `${each}.%22${value}%22`) },
  { weight: 1, arbitrary: encoded },
);

/** The arguments that some function of ours takes. */
export const argumentName = fc.constantFrom(
  "_q",
  "_publisher",
  "_course",
  "_min_price",
  "_max_price",
  "_min_rating",
  "_page",
  "_page_size",
  "_after_title",
  "_after_id",
  "_before_title",
  "_before_id",
  "_user_id",
  "_book_id",
  "_quantity",
  "_order_id",
  "_quote_id",
  "_version",
  "_lines",
  "_valid_until",
  "_note",
  "_institution",
  "_contact_email",
  "_contact_phone",
  "_purchase_order_number",
  "_delivery",
  "_shown",
  "_payment",
  "_books_total",
  "_recipient_email",
  "_audit_id",
  "_limit",
  "_status",
  "_role",
  "_sort",
  "_descending",
  "_table_name",
  "_actor",
  "_rating",
  "_import_id",
  "_rows",
  "_action",
  "_after_line",
  "_file_name",
  "_default_price",
  "_default_stock",
  "_default_publisher",
  "_skip_refused",
  "_nonsense",
);

/** Lists of rows as our functions read them out of JSON, nearly right. */
const nearlyRows = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: json },
    {
      weight: 4,
      arbitrary: fc.dictionary(
        fc.constantFrom(
          ...[
            "line",
            "title",
            "isbn",
            "book_id",
            "copies",
            "is_required",
            "note",
            "id",
            "quantity",
            "unit_price",
          ],
          ...[
            "school",
            "class_name",
            "school_year",
            "updated_at",
            "lines",
            "text",
            "fields",
            "problems",
            "cells",
          ],
        ),
        fc.oneof(
          json,
          fc.array(fc.dictionary(fc.constantFrom("line", "title", "isbn", "copies", "note"), json), {
            maxLength: 3,
          }),
          fc.constantFrom("2026/2027", 1, 99),
        ),
        { maxKeys: 8 },
      ),
    },
  ),
  { maxLength: 4 },
);

/** One of our functions with values for its own arguments: what gets past the reading of a call. */
export const ownCall = fc
  .constantFrom(...publicFunctions)
  .chain(({ name, call }) =>
    fc
      .record(
        Object.fromEntries(
          [...call.matchAll(/\b(_\w+) =>/g)].map(([, argument = ""]) => [
            argument,
            fc.oneof(json, nearlyRows),
          ]),
        ),
      )
      .map((given) => ({ name, given })),
  );
