import { isIP, isIPv6 } from "node:net";

/** An address without a port, brackets, a zone or the IPv6 form of an IPv4 address, which proxies may add. */
export function bareAddress(client: string): string {
  const trimmed = client.trim();
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  const withPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1];
  return (inBrackets ?? withPort ?? trimmed).replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
}

/** The first half of an IPv6 address: internet providers assign each customer at least this network. */
function firstHalf(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

const known = new Map<string, string | null>();
const maxKnown = 2_000;

/**
 * What counts as one client in rate limits: an IPv4 address, or the /64 of an IPv6 one. Null for this machine itself
 * and for anything that is not an address: behind a proxy that TRUSTED_PROXIES does not name, all visitors would
 * share one limit.
 */
export function networkOf(client: string): string | null {
  // Each request needs it several times, and most clients send many.
  const network = known.get(client);
  if (network !== undefined) return network;
  if (known.size >= maxKnown) known.clear();
  const found = findNetwork(client);
  known.set(client, found);
  return found;
}

function findNetwork(client: string): string | null {
  const address = bareAddress(client);
  if (isIP(address) === 0 || address === "::1" || address === "127.0.0.1") return null;
  return isIPv6(address) ? firstHalf(address) : address;
}
