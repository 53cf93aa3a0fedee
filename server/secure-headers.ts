import type { MiddlewareHandler } from "hono";
import type { Settings } from "./settings.ts";

const HSTS_SECONDS = 63_072_000;

/** Headers of every answer. The content security policy belongs to pages alone and is made with them. */
export function secureHeaders(settings: Pick<Settings, "siteUrl">): MiddlewareHandler {
  const behindTls = settings.siteUrl.startsWith("https:");
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set("X-Content-Type-Options", "nosniff");
    if (behindTls) headers.set("Strict-Transport-Security", `max-age=${HSTS_SECONDS}; includeSubDomains`);
    // The rest governs documents. A page loads a dozen files, and on a slow line each header is paid a dozen times.
    if (headers.get("Cache-Control")?.includes("immutable")) return;
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
    headers.set(
      "Permissions-Policy",
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()",
    );
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
  };
}
