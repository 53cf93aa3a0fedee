import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { openServer } from "#server/database/engine.ts";
import { listApplied } from "#server/database/migrations.ts";
import type { Sql } from "#server/database/sql.ts";
import type { Settings } from "#server/lib/settings.ts";
import { checkBackup, readBackup } from "#server/shop/backup/backup-file.ts";
import { type Loaded, loadBackup } from "#server/shop/backup/load.ts";
import { CommandError } from "./command.ts";
import type { Account } from "./moved-accounts.ts";

/*
 * Fills a hosted project: accounts and covers through its API, because only its host knows how they are stored; rows
 * through its database, in one transaction, because orders and their history cannot be written through the API.
 * An interrupted move can be repeated: existing accounts and covers are skipped.
 */

/** Refuses a project of another version, and one already in use. */
async function checkProject(sql: Sql, migrations: string[], accounts: Account[]): Promise<void> {
  const applied = (await listApplied(sql)).map(({ version }) => version);
  if (applied.join() !== migrations.join()) {
    throw new CommandError(
      'The old shop and the project have different migrations: restore a backup of the old shop into an empty folder with this version ("npm run restore"), start it once, run "npm run migrate", and move from that folder',
    );
  }
  const ids = JSON.stringify(accounts.map(({ id }) => id));
  const [used] = await sql.query<{ books: boolean; orders: boolean; people: boolean }>(
    `select exists (select from public.books) as books, exists (select from public.orders) as orders,
            exists (select from auth.users
                    where id::text not in (select jsonb_array_elements_text($1::text::jsonb))) as people`,
    [ids],
  );
  const what = (["books", "orders", "people"] as const).find((noun) => used?.[noun]);
  if (what) throw new CommandError(`The project has ${what} already: a shop moves only into a new one`);
}

async function createAccounts(client: SupabaseClient, sql: Sql, accounts: Account[]): Promise<void> {
  const existing = new Set(
    (await sql.query<{ id: string }>("select id from auth.users")).map(({ id }) => id),
  );
  for (const { id, email, confirmed, metadata } of accounts) {
    if (existing.has(id)) continue;
    // Hosted accounts need an address; people without one get one that cannot exist, and remain locked out.
    const { error } = await client.auth.admin.createUser({
      id,
      email: email ?? `${id}@nobody.invalid`,
      email_confirm: confirmed,
      user_metadata: metadata,
      ...(email ? {} : { ban_duration: "876000h" }),
    });
    if (error) throw new CommandError(`An account could not be made: ${error.message}`);
  }
}

async function uploadCovers(client: SupabaseClient, path: string): Promise<void> {
  const types = new Map<string, string>();
  for await (const entry of readBackup(path)) {
    if (entry.kind === "rows" && entry.table.name === "storage.objects") {
      for (const text of entry.rows) {
        const { bucket_id, name, metadata } = JSON.parse(text);
        types.set(`${bucket_id}/${name}`, metadata?.mimetype ?? "image/jpeg");
      }
    }
    if (entry.kind !== "file") continue;
    const { bucket, name } = entry.head;
    const contentType = types.get(`${bucket}/${name}`) ?? "image/jpeg";
    const options = { contentType, cacheControl: "3600", upsert: true };
    const { error } = await client.storage.from(bucket).upload(name, entry.content, options);
    if (error) throw new CommandError(`The cover ${name} could not be stored: ${error.message}`);
  }
}

/**
 * Moves a backup into the hosted project in the settings, which must be new.
 * @throws CommandError with one line
 */
export async function fillHosted(
  path: string,
  accounts: Account[],
  { hosted, databaseUrl }: Settings,
  secretKey: string | undefined,
): Promise<Loaded> {
  if (!hosted || !secretKey) throw new CommandError("SUPABASE_SECRET_KEY is missing: SUPABASE_URL is set");
  if (!databaseUrl) {
    throw new CommandError("DATABASE_URL is missing: set it to the project's connection string");
  }
  const { header } = await checkBackup(path);
  const engine = await openServer(databaseUrl);
  try {
    await checkProject(engine.sql, header.migrations, accounts);
    const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
    const client = createClient(hosted.url, secretKey, { auth });
    await createAccounts(client, engine.sql, accounts);
    await uploadCovers(client, path);
    return await engine.sql.transaction(async (sql) => {
      const only = (table: string) => /^(public|private)\./.test(table);
      return loadBackup(sql, path, { only, save: async () => {} });
    }, "unbounded");
  } finally {
    await engine.close();
  }
}
