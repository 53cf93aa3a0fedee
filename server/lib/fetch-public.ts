import { type LookupAddress, lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Refusal } from "./refusal.ts";

type Limits = {
  maxBytes: number;
  /** In total: for DNS, redirects and the content. */
  timeoutMs: number;
  /** Whether to connect to an address and port; only tests replace it. */
  isAllowed?: (address: string, port: number) => boolean;
};

const MAX_REDIRECTS = 3;

/** IPv4 networks that are not the public internet, from IANA's registry of special-purpose addresses. */
const notPublic = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(network, prefix, "ipv4");

const global = new BlockList();
global.addSubnet("2000::", 3, "ipv6");
/** Within 2000::/3: tunnels, which lead to IPv4 addresses, and examples. */
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  notPublic.addSubnet(network, prefix, "ipv6");

/** Whether an IP address belongs to the public internet; not the machine itself, its network or a cloud's own services. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, "ipv4");
  return family === 6 && global.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}

const isWebServer = (address: string, port: number) =>
  isPublicAddress(address) && (port === 443 || port === 80);

/**
 * Fetches a public web address. Connects only to a checked address, also after a redirect, so that no name leads
 * into the machine's own network. @throws Refusal, with a message for staff
 */
export async function fetchPublic(address: string, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let url = readUrl(address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const found = await request(url, limits, signal).catch((error: Error) => {
      if (error instanceof Refusal) throw error;
      throw refusal(
        signal.aborted ? "The other website took too long." : "The other website can't be reached.",
      );
    });
    if (found instanceof Uint8Array) return found;
    url = readUrl(found.location, url);
  }
  throw refusal("The link redirects too many times.");
}

const refusal = (message: string) => new Refusal(422, "not_fetched", message);

function readUrl(address: string, base?: URL): URL {
  const url = URL.canParse(address, base) ? new URL(address, base) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw refusal("This is not the address of a picture on the web.");
  return url;
}

async function request(
  url: URL,
  { maxBytes, isAllowed = isWebServer }: Limits,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | { location: string }> {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const refuseAddress = () => refusal("This address isn't on the public web.");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A name's addresses are checked when the connection looks them up; an IP address is checked here, because it is
  // not looked up.
  if (isIP(host) && !isAllowed(host, port)) throw refuseAddress();
  const checkedLookup: LookupFunction = (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[] = []) => {
      if (error) return done(error, []);
      if (!found.every(({ address }) => isAllowed(address, port))) return done(refuseAddress(), []);
      const [first] = found;
      if (options.all || !first) return done(null, found);
      return done(null, first.address, first.family);
    });
  const { get } = url.protocol === "https:" ? https : http;
  const headers = { accept: "image/*", "user-agent": "bookshop-covers" };
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    get(url, { agent: false, headers, lookup: checkedLookup, signal }, resolve).on("error", reject);
  });
  try {
    const { statusCode = 0, headers: received } = response;
    if ([301, 302, 303, 307, 308].includes(statusCode) && received.location)
      return { location: received.location };
    if (statusCode !== 200) throw refusal(`The other website responded with ${statusCode}.`);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw refusal(`The file is larger than ${Math.floor(maxBytes / 1_000_000)} MB.`);
      chunks.push(chunk);
    }
    return new Uint8Array(Buffer.concat(chunks));
  } finally {
    response.destroy();
  }
}
