import type { Context, MiddlewareHandler } from "hono";

/** Keeps responses out of every cache. */
export const notStored: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Cache-Control", "no-store");
};

const RETRY_SECONDS = 5;

/**
 * Refuses in the data API's format, which the app already reads. With 503, it says when to retry.
 * @param message for the user
 * @param code for the app: one of the database's, "refused" or "unavailable"
 */
export const refuse = (c: Context, status: number, message: string, code = "refused"): Response =>
  c.json(
    { code: `PT${status}`, message, details: JSON.stringify({ code }) },
    status as 400,
    status === 503 ? { "Retry-After": c.res.headers.get("Retry-After") ?? String(RETRY_SECONDS) } : {},
  );
