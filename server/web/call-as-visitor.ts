import { type Shop, shopWith } from "#shared/owner/settings.ts";
import type { Backend } from "../api/backend.ts";

const TIMEOUT_MS = 3_000;

/**
 * Calls one of the database's functions as an anonymous visitor.
 * @param clientIp the visitor's address, whose requests are counted; left out for the shop itself
 */
export function callAsVisitor(
  backend: Backend,
  name: string,
  { args = {}, clientIp }: { args?: object; clientIp?: string } = {},
): Promise<Response> {
  const request = new Request(new URL(`/rest/v1/rpc/${name}`, backend.browserOrigin ?? "http://backend"), {
    method: "POST",
    headers: { apikey: backend.publishableKey, "Content-Type": "application/json" },
    body: JSON.stringify(args),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return clientIp === undefined ? backend.fetch(request) : backend.fetch(request, clientIp);
}

/**
 * The function's result, from JSON.
 * @throws Error when the backend does not respond with it
 */
export async function readAsVisitor(
  backend: Backend,
  name: string,
  how: Parameters<typeof callAsVisitor>[2] = {},
): Promise<string> {
  const response = await callAsVisitor(backend, name, how);
  if (!response.ok) throw new Error(`The backend responded with ${response.status}`);
  return response.text();
}

/** The shop's current values. */
export const readShopAsVisitor = async (backend: Backend): Promise<Shop> =>
  shopWith(JSON.parse(await readAsVisitor(backend, "list_settings")));
