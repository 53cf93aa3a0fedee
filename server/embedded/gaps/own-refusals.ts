import { requestScope } from "../scope.ts";
import type { Gap } from "./gap.ts";

/**
 * A rule of our own that refuses a file raises PT4xx, as all of them do. The library's data API answers that rightly;
 * its storage says "Internal server error".
 */
export const ownRefusals: Gap = async (exchange, next) => {
  const answer = await next(exchange);
  const refusal = requestScope.getStore()?.refusal;
  if (answer.status !== 500 || !refusal || !exchange.url.pathname.startsWith("/storage/")) return answer;
  const status = Number(refusal.code.slice(2));
  const { code, retry_after_seconds: seconds } = JSON.parse(refusal.detail) as Record<string, unknown>;
  const headers = seconds ? { "retry-after": String(seconds) } : undefined;
  return Response.json(
    { statusCode: String(status), error: code, message: refusal.message },
    { status, headers },
  );
};
