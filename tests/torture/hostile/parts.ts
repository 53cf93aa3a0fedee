import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { RawRequest } from "../raw-request.ts";
import { json } from "./words.ts";

/* What hostile requests to every part of the shop have in common. */

export type Arbitrary<T> = fc.Arbitrary<T>;

export const query = (parameters: Arbitrary<[string, string]>): Arbitrary<string> =>
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

export const jsonType: [string, string] = ["Content-Type", "application/json"];

const deep = (depth: number, open: string, close: string) =>
  Buffer.from(open.repeat(depth) + close.repeat(depth));

/** Bodies of invalid JSON, or of too much of it. */
export const brokenBody: Arbitrary<Buffer> = fc.oneof(
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

export const record = (names: Arbitrary<string>, keys = 6): Arbitrary<Record<string, unknown>> =>
  fc.array(fc.tuple(names, json), { maxLength: keys }).map((pairs) => Object.fromEntries(pairs));

export const bodyOf = (value: Arbitrary<unknown>): Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((each) => Buffer.from(JSON.stringify(each) ?? "null")) },
    { weight: 1, arbitrary: brokenBody },
  );

export const request = (parts: {
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
