import type { BackendClient } from "./client.ts";
import { createDeviceFetch } from "./device-id.ts";
import { failureFrom, noResponse } from "./response.ts";
import { createBusyRetryingFetch } from "./retry-busy.ts";

/**
 * Calls the web server itself as the signed-in user, for requests outside the data API. Resolves to a successful
 * response.
 * @throws BackendFailure
 */
export async function sendToSite(client: BackendClient, path: string, body: object): Promise<Response> {
  const { data } = await client.auth.getSession();
  const response = await createDeviceFetch(createBusyRetryingFetch())(path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${data.session?.access_token ?? ""}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  }).catch(() => {
    throw noResponse();
  });
  if (response.ok) return response;
  throw failureFrom(await readJson(response), response.status);
}

const readJson = (response: Response): Promise<{ code?: string; message?: string }> =>
  response.json().catch(() => ({}));

/**
 * The same, for a JSON response.
 * @throws BackendFailure
 */
export const postToSite = async (client: BackendClient, path: string, body: object = {}): Promise<object> =>
  readJson(await sendToSite(client, path, body));
