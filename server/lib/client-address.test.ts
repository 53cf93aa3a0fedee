import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientAddress, createProxyWarning, unnamedClient } from "./client-address.ts";
import { networkOf } from "./network.ts";

const here = { siteUrl: "http://localhost:3000" };
const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;
/** A second request with the same headers: the address of the first one has been found. */
const another = (incoming: IncomingMessage) => ({ ...incoming }) as IncomingMessage;

describe("the address of a client", () => {
  it("is the connection's own when no proxy is trusted, whatever the request claims", () => {
    expect(clientAddress(from("203.0.113.9", "198.51.100.1"), { ...here, trustedProxies: [] })).toBe(
      "203.0.113.9",
    );
  });

  it("is the one found earlier when the connection has closed since", () => {
    const incoming = from("203.0.113.9");
    const settings = { ...here, trustedProxies: [] };
    clientAddress(incoming, settings);
    Object.assign(incoming.socket, { remoteAddress: undefined });
    expect(clientAddress(incoming, settings)).toBe("203.0.113.9");
  });

  it("is what the nearest trusted proxy saw", () => {
    const settings = { ...here, trustedProxies: ["10.0.0.1", "10.0.0.2"] };
    expect(clientAddress(from("::ffff:10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2"), settings)).toBe(
      "198.51.100.1",
    );
  });

  it("is read without ports, brackets and the IPv6 form of an IPv4 address", () => {
    const settings = { ...here, trustedProxies: ["10.0.0.1"] };
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
      expect(clientAddress(from("10.0.0.1", forwarded), { ...here, trustedProxies: ["10.0.0.1"] })).toBe(
        "10.0.0.1",
      );
  });

  it("is the proxy's own when it forwards nothing, or names only proxies", () => {
    for (const forwarded of [undefined, "", " , ", "10.0.0.2", "10.0.0.1, 10.0.0.2"])
      expect(
        clientAddress(from("10.0.0.1", forwarded), { ...here, trustedProxies: ["10.0.0.1", "10.0.0.2"] }),
        forwarded,
      ).toBe("10.0.0.1");
  });

  it("is the last one named, ignoring empty entries after it", () => {
    const settings = { ...here, trustedProxies: ["10.0.0.1"] };
    expect(clientAddress(from("10.0.0.1", "6.6.6.6, 198.51.100.1, "), settings)).toBe("198.51.100.1");
  });

  it("is read from all the headers of that name, in their order", () => {
    const incoming = {
      socket: { remoteAddress: "10.0.0.1" },
      headers: { "x-forwarded-for": ["6.6.6.6", "7.7.7.7"] },
    };
    expect(
      clientAddress(incoming as unknown as IncomingMessage, { ...here, trustedProxies: ["10.0.0.1"] }),
    ).toBe("7.7.7.7");
  });

  it("is empty when the connection is already closed", () => {
    const incoming = { socket: {}, headers: { "x-forwarded-for": "6.6.6.6" } } as unknown as IncomingMessage;
    expect(clientAddress(incoming, { ...here, trustedProxies: ["10.0.0.1"] })).toBe("");
  });
});

/** A request from this machine with these headers. */
const local = (headers: Record<string, string>, others: object = {}) =>
  ({ socket: { remoteAddress: "127.0.0.1" }, headers, ...others }) as unknown as IncomingMessage;

const signs: [string, IncomingMessage][] = [
  ["Via", local({ host: "localhost:3000", via: "1.1 proxy" })],
  ["Forwarded", local({ host: "localhost:3000", forwarded: "for=203.0.113.9" })],
  ["X-Forwarded-Proto", local({ host: "127.0.0.1:3000", "x-forwarded-proto": "https" })],
  ["X-Forwarded-Host", local({ host: "127.0.0.1:3000", "x-forwarded-host": "shop.example" })],
  ["X-Real-IP", local({ host: "127.0.0.1:3000", "x-real-ip": "203.0.113.9" })],
  ["a public Host", local({ host: "shop.example" })],
  ["a public Host with a port", local({ host: "localhost.shop.example:443" })],
  ["HTTP/1.0, nginx's default", local({ host: "127.0.0.1:3000" }, { httpVersion: "1.0" })],
];
const noSigns: [string, IncomingMessage][] = [
  ["localhost", local({ host: "localhost:3000" }, { httpVersion: "1.1" })],
  ["a name below localhost", local({ host: "Shop.Localhost" })],
  ["another loopback address", local({ host: "127.1.2.3:80" })],
  ["the IPv6 loopback address", local({ host: "[::1]:3000" })],
  ["no host", local({})],
];

describe("a client that a local proxy does not name", () => {
  it.each(signs)(
    "an unnamed client behind a local proxy shares one network's limits when its request has %s",
    (_, incoming) => {
      for (const trustedProxies of [[], ["127.0.0.1"]]) {
        const address = clientAddress(another(incoming), { ...here, trustedProxies });
        expect([address, networkOf(address)]).toEqual([unnamedClient, unnamedClient]);
      }
    },
  );

  it("a client behind a local proxy shares these limits if the proxy is not trusted or forwards no address", () => {
    const named = (forwarded: string) => local({ host: "localhost", "x-forwarded-for": forwarded });
    expect(clientAddress(named("203.0.113.9"), { ...here, trustedProxies: [] })).toBe(unnamedClient);
    expect(clientAddress(named("unknown"), { ...here, trustedProxies: ["127.0.0.1"] })).toBe(unnamedClient);
    expect(clientAddress(named("203.0.113.9"), { ...here, trustedProxies: ["127.0.0.1"] })).toBe(
      "203.0.113.9",
    );
  });

  it.each(signs)(
    "a local proxy that names no client causes one warning, with the settings to change, when the request has %s",
    (_, incoming) => {
      const warnings: string[] = [];
      const warn = createProxyWarning({ ...here, trustedProxies: [] }, (line) => warnings.push(line));
      warn(incoming);
      warn(incoming);
      expect(warnings).toEqual([
        "Requests from 127.0.0.1 look like a proxy's but have no X-Forwarded-For: all of them count as one visitor in rate limits and logs. Have the proxy set X-Forwarded-For to the client's address, and set TRUSTED_PROXIES=127.0.0.1",
      ]);
    },
  );

  it("a trusted local proxy that names no client causes a warning about the header alone", () => {
    const warnings: string[] = [];
    createProxyWarning({ ...here, trustedProxies: ["127.0.0.1"] }, (line) => warnings.push(line))(
      local({ via: "1.1 a" }),
    );
    expect(warnings).toEqual([expect.stringMatching(/X-Forwarded-For to the client's address$/)]);
  });

  it.each(noSigns)("no local proxy is assumed for a request to %s", (_, incoming) => {
    const warnings: string[] = [];
    for (const trustedProxies of [[], ["127.0.0.1"]]) {
      createProxyWarning({ ...here, trustedProxies }, (line) => warnings.push(line))(incoming);
      expect(clientAddress(another(incoming), { ...here, trustedProxies })).toBe("127.0.0.1");
    }
    expect(warnings).toEqual([]);
  });

  it.each(noSigns)(
    "with a public SITE_URL, every connection from this machine counts as an unnamed client, even a request to %s",
    (_, incoming) => {
      for (const trustedProxies of [[], ["127.0.0.1"]]) {
        const settings = { siteUrl: "https://shop.example", trustedProxies };
        expect(clientAddress(another(incoming), settings)).toBe(unnamedClient);
        const warnings: string[] = [];
        const warn = createProxyWarning(settings, (line) => warnings.push(line));
        warn(incoming);
        warn(incoming);
        expect(warnings).toEqual([
          expect.stringMatching(/^Requests from 127\.0\.0\.1 look like a proxy's but have no/),
        ]);
      }
    },
  );

  it("with a public SITE_URL, a client that the trusted proxy names has its own address", () => {
    const settings = { siteUrl: "https://shop.example", trustedProxies: ["127.0.0.1"] };
    expect(clientAddress(from("127.0.0.1", "203.0.113.9"), settings)).toBe("203.0.113.9");
  });

  it.each(["/healthz", "/readyz", "/metrics", "/metrics?a"])(
    "no warning when the owner opens %s on this machine",
    (url) => {
      const warnings: string[] = [];
      const settings = { siteUrl: "https://shop.example", trustedProxies: [] };
      createProxyWarning(settings, (line) => warnings.push(line))(local({ host: "localhost:3000" }, { url }));
      expect(warnings).toEqual([]);
    },
  );

  it("no local proxy is assumed for a request from another machine", () => {
    const incoming = {
      socket: { remoteAddress: "203.0.113.9" },
      headers: { via: "1.1 a", host: "shop.example" },
    };
    const warnings: string[] = [];
    createProxyWarning({ ...here, trustedProxies: [] }, (line) => warnings.push(line))(
      incoming as IncomingMessage,
    );
    expect([clientAddress(incoming as IncomingMessage, { ...here, trustedProxies: [] }), warnings]).toEqual([
      "203.0.113.9",
      [],
    ]);
  });
});

describe("a proxy on this machine that TRUSTED_PROXIES does not name", () => {
  it("causes one warning, and a client elsewhere that sends the header causes none", () => {
    const warnings: string[] = [];
    const warn = createProxyWarning({ ...here, trustedProxies: ["10.0.0.1"] }, (line) => warnings.push(line));
    warn(from("203.0.113.9", "198.51.100.1"));
    warn(from("127.0.0.1"));
    warn(from("10.0.0.1", "198.51.100.1"));
    expect(warnings).toEqual([]);
    for (const peer of ["::ffff:127.0.0.1", "::1", "127.0.0.2"]) warn(from(peer, "198.51.100.1"));
    expect(warnings).toEqual([
      "A proxy at 127.0.0.1 names its clients in X-Forwarded-For, but TRUSTED_PROXIES does not name the proxy: all visitors count as one in rate limits and logs. Set TRUSTED_PROXIES=127.0.0.1",
    ]);
  });

  it.each(["::1", "127.0.0.2", "::ffff:127.0.0.1"])("causes a warning when its address is %s", (peer) => {
    const warnings: string[] = [];
    createProxyWarning({ ...here, trustedProxies: [] }, (line) => warnings.push(line))(
      from(peer, "198.51.100.1"),
    );
    expect(warnings).toEqual([expect.stringContaining(`Set TRUSTED_PROXIES=${peer.replace("::ffff:", "")}`)]);
  });

  it("causes no warning when the connection is already closed", () => {
    const warnings: string[] = [];
    const incoming = { socket: {}, headers: { "x-forwarded-for": "6.6.6.6" } } as unknown as IncomingMessage;
    createProxyWarning({ ...here, trustedProxies: [] }, (line) => warnings.push(line))(incoming);
    expect(warnings).toEqual([]);
  });

  it("causes no warning once it is named", () => {
    const warnings: string[] = [];
    const warn = createProxyWarning({ ...here, trustedProxies: ["127.0.0.1"] }, (line) =>
      warnings.push(line),
    );
    warn(from("::ffff:127.0.0.1", "198.51.100.1"));
    expect(warnings).toEqual([]);
  });
});
