import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

describe("the address of a client", () => {
  it("is the peer's when nobody is trusted, whatever the request claims", () => {
    expect(clientAddress(from("203.0.113.9", "198.51.100.1"), { trustedProxies: [] })).toBe("203.0.113.9");
  });

  it("is what the nearest trusted proxy saw", () => {
    const settings = { trustedProxies: ["10.0.0.1", "10.0.0.2"] };
    expect(clientAddress(from("::ffff:10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2"), settings)).toBe(
      "198.51.100.1",
    );
  });

  it("is the proxy's own when it forwards nothing", () => {
    expect(clientAddress(from("10.0.0.1"), { trustedProxies: ["10.0.0.1"] })).toBe("10.0.0.1");
  });
});
