import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Backend } from "../api/backend.ts";
import { fetchPublic } from "../lib/fetch-public.ts";
import { Refusal } from "../lib/refusal.ts";
import { notStored, refuse } from "../lib/route-responses.ts";
import type { Settings } from "../lib/settings.ts";
import { sendAsCaller, staffOnly } from "./staff-only.ts";

const MAX_BYTES = 10_000_000;
const TIMEOUT_MS = 15_000;
/** Simultaneous fetches for all staff, of up to 10 MB each. */
const MAX_AT_ONCE = 4;

const notAPicture = "This is not a picture that can be read.";

/** The type of a picture by its first bytes; null for anything else, such as a web page or an SVG, which may hold scripts. */
export function pictureType(content: Uint8Array): string | null {
  const text = Buffer.from(content.subarray(0, 16)).toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (/^RIFF[\s\S]{4}WEBP/.test(text)) return "image/webp";
  return /^[\s\S]{4}ftypavi[fs]/.test(text) ? "image/avif" : null;
}

/**
 * Fetches a cover that is linked from another website, for staff who copy it into the shop: browsers don't let a page read
 * other websites' pictures. Their browser decodes it and uploads the copy, like a picture from their own disk.
 */
export function linkedCoverRoutes(
  settings: Settings,
  backend: Backend,
  fetchPicture: typeof fetchPublic = fetchPublic,
): Hono<{ Bindings: HttpBindings }> {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  const forStaff = staffOnly(sendAsCaller(settings, backend), { key: "catalogue", name: "Catalogue" });
  let open = 0;
  routes.post("/", notStored, forStaff, async (c) => {
    const { url } = await c.req.json<{ url?: unknown }>().catch(() => ({ url: null }));
    if (typeof url !== "string" || url.length > 2_000) return refuse(c, 400, "The address can't be read.");
    if (open >= MAX_AT_ONCE) {
      c.header("Retry-After", "2");
      return refuse(c, 503, "Other covers are being copied. Please try again in a moment.", "unavailable");
    }
    open += 1;
    try {
      const content = await fetchPicture(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
      const type = pictureType(content);
      if (!type) return refuse(c, 422, notAPicture);
      return c.body(content, 200, { "Content-Type": type, "Content-Disposition": "attachment" });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuse(c, error.status, error.message);
    } finally {
      open -= 1;
    }
  });
  return routes;
}
