import type { Gap } from "./gap.ts";

/**
 * The backend shares the shop's origin. An uploaded file must never act as one of its pages, and no other site has
 * business here, so the library's invitation to every origin is taken away.
 */
export const safeHeaders: Gap = async (exchange, next) => {
  const answer = await next(exchange);
  const headers = new Headers(answer.headers);
  for (const name of [...headers.keys()]) if (name.startsWith("access-control-")) headers.delete(name);
  headers.set("x-content-type-options", "nosniff");
  if (exchange.url.pathname.startsWith("/storage/")) {
    headers.set("content-security-policy", "default-src 'none'; sandbox");
  } else if (!headers.has("cache-control")) {
    headers.set("cache-control", "no-store");
  }
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
};
