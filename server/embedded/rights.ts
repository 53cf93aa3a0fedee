import type { App } from "@supabase/lite";
import { readRights } from "./bootstrap.ts";
import type { Sql } from "./sql.ts";
import { StartError } from "./start-error.ts";

/**
 * Proves that the library leaves the migrations' rights alone: they are read, a visitor's request is made, and they
 * are read again. It also fills the library's picture of the schema, which the first customer would wait for.
 */
export async function checkRights(app: App, sql: Sql, publishableKey: string): Promise<void> {
  const before = await readRights(sql);
  await app.fetch(
    new Request("http://backend/rest/v1/books?limit=1", { headers: { apikey: publishableKey } }),
  );
  if ((await readRights(sql)) !== before) {
    throw new StartError("This version of @supabase/lite does not fit: it changes the database's rights");
  }
}
