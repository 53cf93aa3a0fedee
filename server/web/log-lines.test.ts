import { expect, test } from "vitest";
import { createLog } from "../lib/log.ts";
import { withRequestId } from "../lib/request-id.ts";
import { secureHeaders } from "./secure-headers.ts";

test("A terminal shows the request and the fields after the sentence", () => {
  let text = "";
  const output = {
    isTTY: true,
    write: (line: string) => {
      text += line;
    },
  };
  const log = createLog(output, output);
  withRequestId("0123456789ab", () => log.info("Done", { ms: 1, path: undefined, ok: true }));
  log.error("\u001b[31m\ud83d\u202e\u2028\u{e0001}");
  expect(text).toBe(
    "Done request=0123456789ab ms=1 ok=true\n\\u001b[31m\\ud83d\\u202e\\u2028\\udb40\\udc01\n",
  );
});

async function headersOf(siteUrl: string, cacheControl: string | null, path = "/shop") {
  const headers = new Headers(cacheControl === null ? {} : { "cache-control": cacheControl });
  const context = { req: { path }, res: { headers } } as never;
  await secureHeaders({ siteUrl })(context, async () => {});
  headers.delete("cache-control");
  return Object.fromEntries(headers);
}

const documents = {
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()",
  "referrer-policy": "strict-origin-when-cross-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

test("Every response has the security headers it needs, and an immutable file only one", async () => {
  expect(await headersOf("http://shop.example", null)).toEqual(documents);
  expect(await headersOf("http://shop.example", "public, immutable")).toEqual({
    "x-content-type-options": "nosniff",
  });
  const tls = { "strict-transport-security": "max-age=63072000" };
  expect(await headersOf("https://shop.example", "no-store")).toEqual({
    ...documents,
    ...tls,
    "cross-origin-opener-policy": "same-origin",
  });
  expect(await headersOf("https://shop.example", "immutable")).toEqual({
    ...tls,
    "x-content-type-options": "nosniff",
  });
  const scanning = await headersOf("http://shop.example", null, "/admin/scan");
  expect(scanning["permissions-policy"]).toContain("camera=(self), microphone=()");
});
