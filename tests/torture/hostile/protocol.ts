import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { RawRequest } from "../raw-request.ts";
import { jsonType } from "./parts.ts";

/** Malformed HTTP. */
export const protocol = fc
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
