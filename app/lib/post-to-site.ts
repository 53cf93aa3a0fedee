import type { BackendClient } from "./backend-client.ts";
import { failureFrom, noResponse } from "./backend-response.ts";
import { createBusyRetryingFetch } from "./retry-busy.ts";

/**
 * Calls the web server itself, as the signed-in user, for what the data API cannot do. Resolves to the returned JSON.
 * @throws BackendFailure
 */
export async function postToSite(client: BackendClient, path: string, body: object = {}): Promise<object> {
  const { data } = await client.auth.getSession();
  const response = await createBusyRetryingFetch()(path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${data.session?.access_token ?? ""}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw noResponse();
  });
  const found = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  if (!response.ok) throw failureFrom(found, response.status);
  return found;
}
