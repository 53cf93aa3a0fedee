import type { Database } from "./database.ts";
import type { SignedIn } from "./people.ts";

/** Changes settings as an admin who has seen the present ones. */
export async function setSettings(database: Database, admin: SignedIn, values: object): Promise<void> {
  await database.as(admin, (query) =>
    query(
      `select public.update_settings($1::text::jsonb,
         (select coalesce(jsonb_object_agg(id, updated_at), '{}') from public.shop_settings))`,
      [JSON.stringify(values)],
    ),
  );
}
