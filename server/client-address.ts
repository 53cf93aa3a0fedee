import type { IncomingMessage } from "node:http";
import type { Settings } from "./settings.ts";

/**
 * The address a request comes from, for rate limits. `X-Forwarded-For` is believed only as far as it was written
 * by a proxy named in TRUSTED_PROXIES: read from its end, the first address that is no such proxy is the client.
 */
export function clientAddress(incoming: IncomingMessage, settings: Pick<Settings, "trustedProxies">): string {
  const peer = plainAddress(incoming.socket.remoteAddress ?? "");
  const trusted = new Set(settings.trustedProxies);
  if (!trusted.has(peer)) return peer;
  const header = incoming.headers["x-forwarded-for"];
  const hops = (Array.isArray(header) ? header.join(",") : (header ?? ""))
    .split(",")
    .map((hop) => hop.trim());
  return hops.findLast((hop) => hop !== "" && !trusted.has(hop)) ?? peer;
}

/** IPv4 addresses on a dual-stack socket arrive as ::ffff:a.b.c.d. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:/, "");
}
