import { readRefusalFacts } from "#shared/calls/refusal-facts.ts";
import { Refusal } from "./refusal.ts";

/**
 * Calls a function of the database with the secret key's rights; resolves to what it returns.
 * @throws Refusal
 */
export type CallDatabase = (
  name: string,
  values: Record<string, string | number | boolean | null>,
) => Promise<unknown>;

type RefusalBody = { message?: string; details?: string | null };

/** @param send POSTs this body to the function's data API URL with the secret key */
export const callOver =
  (send: (path: string, body: string) => Promise<Response>): CallDatabase =>
  async (name, values) =>
    readResult(await send(`/rest/v1/rpc/${name}`, JSON.stringify(values)));

/**
 * Parses what a database function returned.
 * @throws Refusal with the code of the shop's own rule, or the status as its code; its message is for people if the
 * status is below 500
 */
export async function readResult(response: Response): Promise<unknown> {
  const body = await response.text();
  if (response.ok) return body ? JSON.parse(body) : null;
  // A proxy's response is not JSON.
  const { message, details }: RefusalBody = readRefusalFacts(body);
  const { status } = response;
  const code = readRefusalFacts(details).code ?? status;
  throw new Refusal(status, String(code), message ?? "The database refused.", details ?? null);
}
