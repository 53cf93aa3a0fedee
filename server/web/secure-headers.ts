import type { MiddlewareHandler } from "hono";
import { CAMERA_PAGE } from "#shared/shop/camera-page.ts";
import type { Settings } from "../lib/settings.ts";

const HSTS_SECONDS = 63_072_000;

type SecureSettings = Pick<Settings, "siteUrl">;

const behindTls = ({ siteUrl }: SecureSettings) => siteUrl.startsWith("https:");

/** Headers of every response. */
function commonHeaders(settings: SecureSettings): [string, string][] {
  const headers: [string, string][] = [["X-Content-Type-Options", "nosniff"]];
  // The owner's other subdomains are theirs to decide about.
  if (behindTls(settings)) headers.push(["Strict-Transport-Security", `max-age=${HSTS_SECONDS}`]);
  return headers;
}

/** Only the page that scans may use the camera (decision 53). */
export const permissionsPolicy = (path: string): string =>
  `camera=(${path === CAMERA_PAGE ? "self" : ""}), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()`;

/** Headers of every page. Both policies depend on the page. */
export function everyPageHeaders(settings: SecureSettings): [string, string][] {
  const headers: [string, string][] = [
    ...commonHeaders(settings),
    ["X-Frame-Options", "DENY"],
    ["Referrer-Policy", "strict-origin-when-cross-origin"],
  ];
  // Browsers ignore it without TLS, and complain.
  if (behindTls(settings)) headers.push(["Cross-Origin-Opener-Policy", "same-origin"]);
  return headers;
}

/** Adds a response's headers. */
export function secureHeaders(settings: SecureSettings): MiddlewareHandler {
  const [common, page] = [commonHeaders(settings), everyPageHeaders(settings)];
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    // A page loads a dozen files, so on a slow connection each header costs a dozen times.
    const isFile = headers.get("Cache-Control")?.includes("immutable");
    for (const [name, value] of isFile ? common : page) headers.set(name, value);
    if (!isFile) headers.set("Permissions-Policy", permissionsPolicy(c.req.path));
  };
}
