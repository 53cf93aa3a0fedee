import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const own = { backend: null, development: false };
const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

describe("the content security policy", () => {
  it("allows each inline script of the page by its hash, and no other", () => {
    const html = `<script>one("GH₵")</script><script type="module" async="">two()</script><script src="/a.js"></script>`;
    const policy = contentSecurityPolicy(Buffer.from(html), own);
    expect(policy).toContain(`script-src 'self' ${hash('one("GH₵")')} ${hash("two()")};`);
    expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
  });

  it("allows WebAssembly only on request, and never eval", () => {
    const wasm = contentSecurityPolicy(Buffer.from(""), { ...own, allowsWasm: true });
    expect(wasm).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(wasm).not.toContain("'unsafe-eval'");
    expect(contentSecurityPolicy(Buffer.from(""), own)).not.toContain("wasm");
  });

  it("lets the browser talk to a hosted backend and its web socket", () => {
    const policy = contentSecurityPolicy(Buffer.from(""), { ...own, backend: "https://abc.supabase.co" });
    expect(policy).toContain("connect-src 'self' https://abc.supabase.co wss://abc.supabase.co;");
  });

  it("does not let other sites frame the shop", () => {
    expect(contentSecurityPolicy(Buffer.from(""), own).split("; ")).toContain("frame-ancestors 'none'");
  });

  it.each([
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "default-src 'self'",
    "connect-src 'self'",
  ])("says %s, so that injected markup cannot send data elsewhere", (rule) => {
    expect(contentSecurityPolicy(Buffer.from(""), own).split("; ")).toContain(rule);
  });

  it("allows connections for module reloading in development only", () => {
    expect(contentSecurityPolicy(Buffer.from(""), own)).not.toContain("ws:");
    expect(contentSecurityPolicy(Buffer.from(""), { ...own, development: true })).toContain(
      "connect-src 'self' ws: wss:",
    );
  });
});
