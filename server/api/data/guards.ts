import type { DataRequest } from "./query.ts";

/** Runs around each call of a function that clients make: may refuse it before, and learns how it ended. */
export type FunctionGuard = (
  request: DataRequest,
  clientIp: string,
  respond: () => Promise<Response>,
) => Promise<Response>;

/** By the function's name. */
export type FunctionGuards = ReadonlyMap<string, FunctionGuard>;

/**
 * @param request as the data API understands it, so that no spelling of a function's name goes around its guard
 * @param clientIp null for the shop itself, whose calls are not guarded
 */
export function runGuarded(
  guards: FunctionGuards,
  request: DataRequest,
  clientIp: string | null,
  respond: () => Promise<Response>,
): Promise<Response> {
  const { kind, name } = request.target;
  const guard = kind === "function" ? guards.get(name) : undefined;
  return guard && clientIp !== null ? guard(request, clientIp, respond) : respond();
}
