import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { bareAddress } from "./network.ts";
import type { Settings } from "./settings.ts";
import { isFromLocalProxy, isLoopbackPeer } from "./this-machine.ts";

type AddressSettings = Pick<Settings, "siteUrl" | "trustedProxies">;

const addresses = new WeakMap<IncomingMessage, string>();

/** The address of every client that a proxy on this machine doesn't name: limits count them as one network. */
export const unnamedClient = "0.0.0.0";

/**
 * The address a request comes from, for rate limits. `X-Forwarded-For` is believed only as far as it was written
 * by a proxy named in TRUSTED_PROXIES: read from its end, the first address that is not such a proxy is the client. A
 * proxy that hides its client ("unknown", "_hidden") counts as the client itself. A proxy on this machine counts as
 * `unnamedClient`, because limits don't apply to this machine's own requests. The result is stored with the request, which needs it
 * several times: a process has only one set of settings.
 */
export function clientAddress(incoming: IncomingMessage, settings: AddressSettings): string {
  const address = addresses.get(incoming) ?? findAddress(incoming, settings);
  addresses.set(incoming, address);
  return address;
}

function findAddress(incoming: IncomingMessage, settings: AddressSettings): string {
  const peer = bareAddress(incoming.socket.remoteAddress ?? "");
  const own = () => (isFromLocalProxy(incoming, settings) ? unnamedClient : peer);
  const { trustedProxies } = settings;
  if (!trustedProxies.includes(peer)) return own();
  const header = incoming.headers["x-forwarded-for"];
  const hops = (Array.isArray(header) ? header.join(",") : (header ?? "")).split(",").map(bareAddress);
  const client = hops.findLast((hop) => hop !== "" && !trustedProxies.includes(hop)) ?? "";
  return isIP(client) === 0 ? own() : client;
}

/** What the owner or a monitor opens on the machine itself, without a proxy. */
const ownersCheck = /^\/(healthz|readyz|metrics)(\?|$)/;

/**
 * Warns once about a proxy on this machine that is missing from TRUSTED_PROXIES, or that doesn't name its clients. From
 * other machines the headers prove nothing: any client can send them.
 */
export function createProxyWarning(
  settings: AddressSettings,
  warn: (line: string) => void,
): (incoming: IncomingMessage) => void {
  let warned = false;
  return (incoming) => {
    if (warned || !isLoopbackPeer(incoming)) return;
    const peer = bareAddress(incoming.socket.remoteAddress ?? "");
    const isTrusted = settings.trustedProxies.includes(peer);
    if (incoming.headers["x-forwarded-for"] !== undefined) {
      if (isTrusted) return;
      warned = true;
      warn(
        `A proxy at ${peer} names its clients in X-Forwarded-For, but TRUSTED_PROXIES does not name the proxy: all visitors count as one in rate limits and logs. Set TRUSTED_PROXIES=${peer}`,
      );
    } else if (isFromLocalProxy(incoming, settings) && !ownersCheck.test(incoming.url ?? "")) {
      warned = true;
      const setting = isTrusted ? "" : `, and set TRUSTED_PROXIES=${peer}`;
      warn(
        `Requests from ${peer} look like a proxy's but have no X-Forwarded-For: all of them count as one visitor in rate limits and logs. Have the proxy set X-Forwarded-For to the client's address${setting}`,
      );
    }
  };
}
