import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { openOwnApi } from "./own-api.ts";

/** The project's key that may do everything. */
export const secretKey = "sb_secret_test";

/** The API of a hosted project at an address of its own, over a database of the test's own; it ends with the test. */
export async function startOwnProject() {
  const api = await openOwnApi();
  onTestFinished(api.close);
  const server = createServer(async (request, response) => {
    const { apikey, authorization = "" } = request.headers;
    const { method = "GET", url = "/" } = request;
    const answer = await api.ask(url, {
      method,
      key: apikey === secretKey ? "secret" : "publishable",
      ...(method === "POST" ? { body: await text(request) } : {}),
      headers: { authorization },
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { sql: api.sql, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Settings of a shop in front of the project at this address, without its secret key and without a mail server. */
export const hostedSettings = (url: string) => ({
  SUPABASE_URL: url,
  SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
  SITE_URL: "https://shop.example",
  MAIL_FROM: "no-reply@shop.example",
});
