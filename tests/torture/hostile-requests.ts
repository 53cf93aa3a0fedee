import { gzipSync } from "node:zlib";
import fc from "fast-check";
import {
  argumentName,
  columnName,
  encoded,
  filter,
  functionName,
  json,
  percent,
  tableName,
  text,
} from "./hostile-words.ts";
import type { RawRequest } from "./raw-request.ts";

/** A case: who sends what to which part of the shop. */
export type HostileCase = { part: string; sender: Sender; request: RawRequest };

/** With whose token; "broken" carries one that is no good. */
export type Sender = "visitor" | "customer" | "admin" | "broken";

type Arbitrary<T> = fc.Arbitrary<T>;

const query = (parameters: Arbitrary<[string, string]>): Arbitrary<string> =>
  fc
    .array(parameters, { maxLength: 5 })
    .map((pairs) => (pairs.length ? `?${pairs.map(([name, value]) => `${name}=${value}`).join("&")}` : ""));

const plainHeaders: Arbitrary<[string, string][]> = fc.array(
  fc.constantFrom<[string, string]>(
    ["Accept", "application/vnd.pgrst.object+json"],
    ["Accept", "text/csv"],
    ["Accept", "application/octet-stream"],
    ["Accept", "x".repeat(3_000)],
    ["Accept-Encoding", "br;q=0, gzip, \u00ff"],
    ["Accept-Language", "\u00ff\u00fe"],
    ["Prefer", "count=exact, return=representation, resolution=merge-duplicates"],
    ["Prefer", "return=headers-only, tx=rollback, missing=default"],
    ["Prefer", "handling=strict, nonsense"],
    ["Range", "0-0"],
    ["Range", "bytes=-1"],
    ["Range", "999999999999999999-"],
    ["Range-Unit", "items"],
    ["Content-Profile", "auth"],
    ["Accept-Profile", "pg_catalog"],
    ["If-None-Match", 'W/"x", *'],
    ["If-Modified-Since", "yesterday"],
    ["Cookie", `sidebar=${"x".repeat(2_000)}`],
    ["X-Forwarded-Host", "evil.example"],
    ["X-Forwarded-Proto", "gopher"],
    ["X-HTTP-Method-Override", "DELETE"],
    ["Origin", "null"],
    ["Origin", "https://evil.example"],
    ["Referer", "\u00ff"],
    ["Expect", "100-continue"],
    ["Upgrade", "websocket"],
    ["x-upsert", "true"],
    ["x-client-info", "'; select 1"],
  ),
  { maxLength: 3 },
);

const jsonType: [string, string] = ["Content-Type", "application/json"];

const deep = (depth: number, open: string, close: string) =>
  Buffer.from(open.repeat(depth) + close.repeat(depth));

/** Bodies that are no good JSON, or too much of it. */
const brokenBody: Arbitrary<Buffer> = fc.oneof(
  fc.constantFrom(
    Buffer.alloc(0),
    Buffer.from("{"),
    Buffer.from("[{},"),
    Buffer.from('{"title": "\\ud800"}'),
    Buffer.from('{"title": "\\u0000"}'),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from("\ufeff{}"),
    Buffer.from("{'a': 1}"),
    Buffer.from('{"a":1,"a":2}'),
    Buffer.from('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
    Buffer.from(`{"price":${"9".repeat(400)}}`),
    Buffer.from('{"price":1e999}'),
    deep(5_000, "[", "]"),
    deep(20_000, '{"a":', "}"),
    deep(60_000, "[", "]"),
    Buffer.from(`[${Array(3_000).fill('{"a":1}').join(",")}]`),
    Buffer.from(`{${Array.from({ length: 2_000 }, (_, n) => `"c${n}":1`).join(",")}}`),
    gzipSync("{}"),
  ),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
);

const record = (names: Arbitrary<string>, keys = 6): Arbitrary<Record<string, unknown>> =>
  fc.array(fc.tuple(names, json), { maxLength: keys }).map((pairs) => Object.fromEntries(pairs));

const bodyOf = (value: Arbitrary<unknown>): Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((each) => Buffer.from(JSON.stringify(each) ?? "null")) },
    { weight: 1, arbitrary: brokenBody },
  );

const request = (parts: {
  method: Arbitrary<string>;
  target: Arbitrary<string>;
  headers?: Arbitrary<[string, string][]>;
  body?: Arbitrary<Buffer | null>;
}): Arbitrary<RawRequest> =>
  fc
    .tuple(
      parts.method,
      parts.target,
      plainHeaders,
      parts.headers ?? fc.constant([]),
      parts.body ?? fc.constant(null),
    )
    .map(([method, target, some, more, body]) => ({ method, target, headers: [...some, ...more], body }));

const routes = [
  "/",
  "/about",
  "/shop",
  "/contact",
  "/search",
  "/auth",
  "/auth/reset",
  "/wishlist",
  "/checkout",
  "/order-confirmation/1",
  "/orders",
  "/guidance",
  "/events",
  "/products",
  "/products/cambridge",
  "/products/collins",
  "/admin",
  "/admin/books",
  "/admin/orders/1/packing-list",
  "/robots.txt",
  "/sitemap.xml",
  "/site.webmanifest",
  "/healthz",
  "/readyz",
  "/outbox",
  "/shop.data",
  "/_root.data",
  "/__manifest",
];

const pages = request({
  method: fc.constantFrom(
    "GET",
    "GET",
    "GET",
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "OPTIONS",
    "PATCH",
    "TRACE",
    "PROPFIND",
  ),
  target: fc
    .tuple(
      fc.constantFrom(...routes),
      fc.option(encoded, { nil: "" }),
      query(
        fc.tuple(
          fc.constantFrom(
            "q",
            "publisher",
            "course",
            "subject",
            "grade_level",
            "min_price",
            "page",
            "after",
            "before",
            "tab",
            "p",
            "_routes",
            "index",
            "redirect_to",
            "error",
            "error_code",
            "error_description",
            "type",
          ),
          encoded,
        ),
      ),
    )
    .map(([route, tail, search]) => route + (tail && `/${tail}`) + search),
  body: fc.oneof(fc.constant(null), brokenBody),
});

/** Ways out of the folder of public files, and to what lies beside it. */
const pathTricks = [
  "/../package.json",
  "/..%2f..%2fpackage.json",
  "/%2e%2e/%2e%2e/package.json",
  "/assets/../../package.json",
  "/assets/..%2f..%2f..%2fpackage.json",
  "/assets/%2e%2e%2f%2e%2e%2fpackage.json",
  "/assets/..%5c..%5cpackage.json",
  "/assets/..%252f..%252fpackage.json",
  "/fonts/%c0%ae%c0%ae/package.json",
  "/assets//../../../etc/passwd",
  "/pictures/%00.jpg",
  "/.env",
  "/.git/config",
  "/data/secrets.json",
  "/secrets.json",
  "/server/main.ts",
  "/build/server/index.js",
  "/assets/",
  "/assets",
  "//evil.example/",
  "///evil.example",
  "/\\evil.example",
  "/%5cevil.example",
  "/./././shop",
  "/shop/../admin",
  "/shop%2f..%2fadmin",
  "/SHOP",
  "/shop/",
  "/shop//",
  "/shop;jsessionid=1",
  "/%73hop",
  "/node_modules/hono/package.json",
  "/@fs/etc/passwd",
  "/@vite/client",
  "/app/root.tsx",
  "/storage/v1/object/public/book-covers/../../../secrets.json",
  "/storage/v1/object/public/book-covers/..%2f..%2fsecrets.json",
  "/storage/v1/object/public/book-covers/%2e%2e/%2e%2e/secrets.json",
  "/storage/v1/object/public/..%2fdatabase/PG_VERSION",
  "/_system/config",
  "/_system/",
  "/rest/v1/../../_system/config",
  "/rest/v1/..%2f..%2f_system%2fconfig",
  "/auth/v1/../../_system/config",
  "/auth/v1/admin/users",
  "/auth/v1/otp",
  "/rest/v1/",
  "/rest/v1",
  "/rest",
  "*",
  "http://localhost/shop",
  "http://evil.example/shop",
  "https://user:pw@localhost/shop",
  "shop",
  "?q=1",
  "#",
  `/${"a".repeat(12_000)}`,
  `/${"a/".repeat(4_000)}`,
  `/shop?${"q=1&".repeat(3_000)}`,
];

const paths = request({
  method: fc.constantFrom("GET", "GET", "HEAD", "POST", "OPTIONS", "DELETE"),
  target: fc.oneof(
    fc.constantFrom(...pathTricks),
    fc
      .tuple(fc.constantFrom("/assets/", "/pictures/", "/fonts/", "/"), encoded, encoded)
      .map(([folder, a, b]) => `${folder}${a}/${b}`),
  ),
});

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

/** Column expressions as they stand in an address. */
function addressable(name: string): string {
  return name.replace(/[ "<>\\^`{|}]/g, (sign) => percent(sign));
}

const rows = request({
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

const calls = fc.oneof(
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

const accounts = request({
  method: fc.constantFrom("POST", "POST", "POST", "GET", "PUT", "DELETE", "PATCH"),
  target: fc
    .tuple(
      fc.constantFrom(
        "signup",
        "token",
        "token?grant_type=password",
        "token?grant_type=refresh_token",
        "token?grant_type=pkce",
        "verify",
        "recover",
        "resend",
        "user",
        "settings",
        "health",
        "logout?scope=nonsense",
        "otp",
        "admin/users",
        "authorize?provider=x",
        "callback",
        "sso",
        "factors",
      ),
      query(
        fc.tuple(
          fc.constantFrom("redirect_to", "type", "token", "grant_type", "scope", "code"),
          fc.oneof(
            encoded,
            fc.constantFrom(
              "https://evil.example",
              "//evil.example",
              "javascript:alert(1)",
              "signup",
              "recovery",
              "invite",
            ),
          ),
        ),
      ),
    )
    .map(([call, search]) => `/auth/v1/${call}${call.includes("?") ? search.replace("?", "&") : search}`),
  headers: fc.constantFrom<[string, string][]>([jsonType], [jsonType], [["Content-Type", "text/plain"]]),
  body: bodyOf(
    record(
      fc.constantFrom(
        "email",
        "password",
        "phone",
        "data",
        "refresh_token",
        "token",
        "token_hash",
        "type",
        "code_challenge",
        "code_challenge_method",
        "gotrue_meta_security",
        "redirect_to",
        "nonce",
        "id",
        "role",
        "app_metadata",
      ),
    ),
  ),
});

const multipart = text.map((value) =>
  Buffer.from(
    `--x\r\nContent-Disposition: form-data; name="${value}"; filename="${value}"\r\nContent-Type: ${value}\r\n\r\n${value}\r\n--x--\r\n`,
  ),
);

const files = request({
  method: fc.constantFrom("GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"),
  target: fc
    .tuple(
      fc.constantFrom(
        "object/book-covers/",
        "object/public/book-covers/",
        "object/authenticated/book-covers/",
        "object/sign/book-covers/",
        "object/list/book-covers",
        "object/move",
        "object/copy",
        "object/info/book-covers/",
        "object/",
        "bucket/",
        "bucket",
        "render/image/public/book-covers/",
        "upload/resumable/",
        "s3/",
        "object/public/",
      ),
      fc.array(encoded, { maxLength: 3 }).map((parts) => parts.join("/")),
      query(fc.tuple(fc.constantFrom("download", "token", "width"), encoded)),
    )
    .map((parts) => `/storage/v1/${parts.join("")}`),
  headers: fc.constantFrom<[string, string][]>(
    [["Content-Type", "image/jpeg"]],
    [["Content-Type", "multipart/form-data; boundary=x"]],
    [["Content-Type", "multipart/form-data"]],
    [jsonType],
    [["Content-Type", "text/html"]],
  ),
  body: fc.oneof(
    bodyOf(
      record(
        fc.constantFrom(
          "prefix",
          "limit",
          "offset",
          "sortBy",
          "bucketId",
          "sourceKey",
          "destinationKey",
          "prefixes",
          "expiresIn",
          "id",
          "name",
          "public",
        ),
      ),
    ),
    multipart,
    brokenBody,
    fc.constant(null),
  ),
});

/** What is no proper HTTP at all. */
const protocol = fc
  .constantFrom<Partial<RawRequest>>(
    { headers: [["Host", "evil.example"]] },
    { headers: [["Host", ""]] },
    { headers: [["Host", "a b"]] },
    { headers: [["Host", "localhost:99999999"]] },
    { headers: [["Host", "[::1"]] },
    {
      headers: [
        ["Host", "a"],
        ["Host", "b"],
      ],
    },
    { headers: [["Host", "\u00ff"]] },
    { headers: [["X-Long", "x".repeat(20_000)]] },
    { headers: Array.from({ length: 1_900 }, (_, n): [string, string] => [`X-${n}`, "1"]) },
    { headers: [["X-Nul", "a\u0000b"]] },
    { headers: [["X Space", "1"]] },
    { headers: [["Content-Length", "-1"]] },
    {
      headers: [
        ["Content-Length", "1"],
        ["Content-Length", "2"],
      ],
      body: Buffer.from("ab"),
    },
    { headers: [["Content-Length", "99999999999999999999"]] },
    { method: "POST", headers: [["Content-Length", "0"]], body: Buffer.from("GET /admin HTTP/1.1\r\n\r\n") },
    {
      method: "POST",
      headers: [["Transfer-Encoding", "chunked"]],
      body: Buffer.from("zz\r\nabc\r\n0\r\n\r\n"),
    },
    {
      method: "POST",
      headers: [
        ["Transfer-Encoding", "chunked"],
        ["Content-Length", "3"],
      ],
      body: Buffer.from("0\r\n\r\n"),
    },
    { method: "POST", headers: [["Transfer-Encoding", "gzip, chunked"]], body: Buffer.from("0\r\n\r\n") },
    { method: "POST", headers: [["Transfer-Encoding", "identity"]], body: Buffer.from("{}") },
    {
      method: "POST",
      headers: [["Content-Encoding", "gzip"], jsonType],
      body: gzipSync(Buffer.alloc(5_000_000)),
    },
    { method: "NONSENSE" },
    { method: "" },
    { method: "GET\u0000" },
    { method: "CONNECT", target: "evil.example:443" },
    { method: "PRI", target: "*" },
    { target: "/shop HTTP/1.1\r\nX: y\r\n\r\nGET /admin" },
    { target: "/shop\u0000" },
    { target: "/\u00ff\u00fe" },
    { target: "" },
  )
  .chain((broken) =>
    fc
      .constantFrom(
        "/shop",
        "/rest/v1/books?limit=1",
        "/auth/v1/token?grant_type=password",
        "/storage/v1/object/public/book-covers/a.jpg",
      )
      .map((target): RawRequest => ({ method: "GET", target, headers: [], body: null, ...broken })),
  );

const senders: Record<string, Arbitrary<Sender>> = {
  rows: fc.constantFrom("visitor", "customer", "customer", "admin", "broken"),
  calls: fc.constantFrom("visitor", "visitor", "customer", "customer", "admin", "admin", "broken"),
  accounts: fc.constantFrom("visitor", "visitor", "customer", "broken"),
  files: fc.constantFrom("visitor", "customer", "admin", "broken"),
};

/** Any hostile request, to every part of the shop. */
export const hostileCase: Arbitrary<HostileCase> = fc.oneof(
  ...(
    [
      [4, "pages", pages],
      [2, "paths", paths],
      [6, "rows", rows],
      [6, "calls", calls],
      [4, "accounts", accounts],
      [3, "files", files],
      [1, "protocol", protocol],
    ] as [number, string, Arbitrary<RawRequest>][]
  ).map(([weight, part, each]) => ({
    weight,
    arbitrary: fc
      .tuple(senders[part] ?? fc.constant<Sender>("visitor"), each)
      // Staff who delete or change rows by the thousand would only empty the shop under the other cases.
      .map(
        ([sender, made]): HostileCase => ({
          part,
          request: made,
          sender: sender === "admin" && part === "rows" && made.method !== "GET" ? "customer" : sender,
        }),
      ),
  })),
);
