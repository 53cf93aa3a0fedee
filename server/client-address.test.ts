import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientAddress, createProxyWarning } from "./client-address.ts";

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

describe("the address of a client", () => {
  it("is the connection's own when no proxy is trusted, whatever the request claims", () => {
    expect(clientAddress(from("203.0.113.9", "198.51.100.1"), { trustedProxies: [] })).toBe("203.0.113.9");
  });

  it("is what the nearest trusted proxy saw", () => {
    const settings = { trustedProxies: ["10.0.0.1", "10.0.0.2"] };
    expect(clientAddress(from("::ffff:10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2"), settings)).toBe(
      "198.51.100.1",
    );
  });

  it("is read without ports, brackets and the IPv6 form of an IPv4 address", () => {
    const settings = { trustedProxies: ["10.0.0.1"] };
    for (const [forwarded, client] of [
      ["198.51.100.1:4711", "198.51.100.1"],
      ["198.51.100.1, ::ffff:10.0.0.1", "198.51.100.1"],
      ["198.51.100.1, 10.0.0.1:443", "198.51.100.1"],
      ["[2001:db8::1]:443", "2001:db8::1"],
    ] as const)
      expect(clientAddress(from("10.0.0.1", forwarded), settings), forwarded).toBe(client);
  });

  it("is the proxy's own when it does not forward a valid address", () => {
    for (const forwarded of ["unknown", "shop", "_hidden", "198.51.100.1, unknown", "browser 198.51.100.1"])
      expect(clientAddress(from("10.0.0.1", forwarded), { trustedProxies: ["10.0.0.1"] })).toBe("10.0.0.1");
  });

  it("is the proxy's own when it forwards nothing, or names only proxies", () => {
    for (const forwarded of [undefined, "", " , ", "10.0.0.2", "10.0.0.1, 10.0.0.2"])
      expect(
        clientAddress(from("10.0.0.1", forwarded), { trustedProxies: ["10.0.0.1", "10.0.0.2"] }),
        forwarded,
      ).toBe("10.0.0.1");
  });

  it("is the last one named, ignoring empty entries after it", () => {
    const settings = { trustedProxies: ["10.0.0.1"] };
    expect(clientAddress(from("10.0.0.1", "6.6.6.6, 198.51.100.1, "), settings)).toBe("198.51.100.1");
  });

  it("is read from all the headers of that name, in their order", () => {
    const incoming = {
      socket: { remoteAddress: "10.0.0.1" },
      headers: { "x-forwarded-for": ["6.6.6.6", "7.7.7.7"] },
    };
    expect(clientAddress(incoming as unknown as IncomingMessage, { trustedProxies: ["10.0.0.1"] })).toBe(
      "7.7.7.7",
    );
  });

  it("is empty when the connection is already closed", () => {
    const incoming = { socket: {}, headers: { "x-forwarded-for": "6.6.6.6" } } as unknown as IncomingMessage;
    expect(clientAddress(incoming, { trustedProxies: ["10.0.0.1"] })).toBe("");
  });
});

describe("a proxy on this machine that TRUSTED_PROXIES does not name", () => {
  it("causes one warning, and a client elsewhere that sends the header causes none", () => {
    const warned: string[] = [];
    const warn = createProxyWarning({ trustedProxies: ["10.0.0.1"] }, (line) => warned.push(line));
    warn(from("203.0.113.9", "198.51.100.1"));
    warn(from("127.0.0.1"));
    warn(from("10.0.0.1", "198.51.100.1"));
    expect(warned).toEqual([]);
    for (const peer of ["::ffff:127.0.0.1", "::1", "127.0.0.2"]) warn(from(peer, "198.51.100.1"));
    expect(warned).toEqual([
      "A proxy at 127.0.0.1 names its clients in X-Forwarded-For, but TRUSTED_PROXIES does not name the proxy: all visitors count as one in rate limits and logs. Set TRUSTED_PROXIES=127.0.0.1",
    ]);
  });

  it.each(["::1", "127.0.0.2", "::ffff:127.0.0.1"])("causes a warning when its address is %s", (peer) => {
    const warned: string[] = [];
    createProxyWarning({ trustedProxies: [] }, (line) => warned.push(line))(from(peer, "198.51.100.1"));
    expect(warned).toEqual([expect.stringContaining(`Set TRUSTED_PROXIES=${peer.replace("::ffff:", "")}`)]);
  });

  it("causes no warning when the connection is already closed", () => {
    const warned: string[] = [];
    const incoming = { socket: {}, headers: { "x-forwarded-for": "6.6.6.6" } } as unknown as IncomingMessage;
    createProxyWarning({ trustedProxies: [] }, (line) => warned.push(line))(incoming);
    expect(warned).toEqual([]);
  });

  it("causes no warning once it is named", () => {
    const warned: string[] = [];
    const warn = createProxyWarning({ trustedProxies: ["127.0.0.1"] }, (line) => warned.push(line));
    warn(from("::ffff:127.0.0.1", "198.51.100.1"));
    expect(warned).toEqual([]);
  });
});
