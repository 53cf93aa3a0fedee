import type { HttpBindings } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { clientAddress } from "../lib/client-address.ts";
import { networkOf } from "../lib/network.ts";
import type { Settings } from "../lib/settings.ts";
import { mayHaveBody } from "../lib/short-bodies.ts";

/** Smaller bodies are always accepted: a cart, an order or a sign-in needs hardly more memory than its connection. */
const SMALL_BYTES = 16 * 1024;
/** Counted for a body without a Content-Length. */
const UNKNOWN_BYTES = 128 * 1024;
/** The largest body that any handler takes, a cover: what states more is refused by its length, without being read. */
export const MAX_COVER_BYTES = 6 * 1024 * 1024;
/** Limits for larger bodies: for one network, which may be a whole school, and in total. */
const MAX_BYTES_EACH = 24 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Limits the memory for request bodies, which are buffered before they are handled: otherwise thousands of clients could
 * each send most of a large body and then stop.
 */
export function limitIncoming(
  settings: Pick<Settings, "siteUrl" | "trustedProxies">,
  maxEach = MAX_BYTES_EACH,
  maxTotal = MAX_BYTES,
): MiddlewareHandler<{ Bindings: HttpBindings }> {
  const bytesOf = new Map<string, number>();
  let total = 0;

  function add(network: string, bytes: number): void {
    total += bytes;
    const own = (bytesOf.get(network) ?? 0) + bytes;
    if (own > 0) bytesOf.set(network, own);
    else bytesOf.delete(network);
  }

  return async (c, next) => {
    const { raw } = c.req;
    if (!mayHaveBody(raw)) return next();
    const { headers } = raw;
    const stated = headers.has("transfer-encoding") ? UNKNOWN_BYTES : Number(headers.get("content-length"));
    if (stated <= SMALL_BYTES || stated > MAX_COVER_BYTES) return next();
    const ip = clientAddress(c.env.incoming, settings);
    const network = networkOf(ip) ?? ip;
    if (total + stated > maxTotal || (bytesOf.get(network) ?? 0) + stated > maxEach)
      return c.json({ code: "PT503", message: "The shop is busy. Please try again in a moment." }, 503, {
        "retry-after": "2",
        "x-not-begun": "1",
        "cache-control": "no-store",
      });
    add(network, stated);
    try {
      return await next();
    } finally {
      add(network, -stated);
    }
  };
}
