import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { bareAddress } from "./shared/network.ts";
import type { Settings } from "./shared/settings.ts";

/**
 * The address a request comes from, for rate limits. `X-Forwarded-For` is believed only as far as it was written
 * by a proxy named in TRUSTED_PROXIES: read from its end, the first address that is not such a proxy is the client. A
 * proxy that hides its client ("unknown", "_hidden") leaves its own.
 */
export function clientAddress(incoming: IncomingMessage, settings: Pick<Settings, "trustedProxies">): string {
  const peer = bareAddress(incoming.socket.remoteAddress ?? "");
  const trusted = new Set(settings.trustedProxies);
  if (!trusted.has(peer)) return peer;
  const header = incoming.headers["x-forwarded-for"];
  const hops = (Array.isArray(header) ? header.join(",") : (header ?? "")).split(",").map(bareAddress);
  const client = hops.findLast((hop) => hop !== "" && !trusted.has(hop)) ?? "";
  return isIP(client) === 0 ? peer : client;
}

/**
 * Warns, once, of a proxy on this machine that TRUSTED_PROXIES does not name. Elsewhere the header proves nothing:
 * any client can send it.
 */
export function createProxyWarning(
  { trustedProxies }: Pick<Settings, "trustedProxies">,
  warn: (line: string) => void,
): (incoming: IncomingMessage) => void {
  let warned = false;
  return ({ socket, headers }) => {
    if (warned || headers["x-forwarded-for"] === undefined) return;
    const peer = bareAddress(socket.remoteAddress ?? "");
    if (trustedProxies.includes(peer) || !(peer === "::1" || peer.startsWith("127."))) return;
    warned = true;
    warn(
      `A proxy at ${peer} names its clients in X-Forwarded-For, but TRUSTED_PROXIES does not name the proxy: all visitors count as one in rate limits and logs. Set TRUSTED_PROXIES=${peer}`,
    );
  };
}
