import { randomBytes, randomUUID } from "node:crypto";
import { seedDemoBooklists } from "../../supabase/seed/demo-booklists.ts";
import { seedDemoPublishers } from "../../supabase/seed/demo-publishers.ts";
import { markDemoRows, type Query, seedDemoCatalogue } from "../../supabase/seed/index.ts";
import { createPasswords } from "../api/accounts/passwords.ts";
import type { Sql } from "../database/sql.ts";
import type { Secrets } from "../lib/secrets.ts";
import type { Settings } from "../lib/settings.ts";
import { type FirstAdmin, forgetFirstAdmin, keepFirstAdmin, readFirstAdmin } from "./first-admin.ts";
import { writeOwnSettings } from "./first-settings.ts";

/** An address that never exists (RFC 2606): emails to it are not sent, and its password cannot be reset by email. */
const defaultAdmin = "admin@shop.invalid";

/** Each task of the first start is done once per database, even if the process dies in between. */
async function once(sql: Sql, task: string, work: () => Promise<void>): Promise<boolean> {
  const [done] = await sql.query("select 1 from private_shop.first_start where task = $1", [task]);
  if (done) return false;
  await work();
  await sql.query("insert into private_shop.first_start (task) values ($1)", [task]);
  return true;
}

async function tableExists(sql: Sql, name: string): Promise<boolean> {
  const [row] = await sql.query<{ found: boolean }>("select to_regclass($1) is not null as found", [name]);
  return row?.found ?? false;
}

/** Makes a confirmed account with the admin's role; an interrupted attempt is completed. */
async function makeAdmin(sql: Sql, secrets: Secrets, { email, password }: FirstAdmin): Promise<void> {
  const hash = await createPasswords(secrets.jwtSecret).hash(password, email);
  await sql.transaction(async (transaction) => {
    await transaction.query(
      `insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
       values ($1::text::uuid, $2, $3, now(), '{"provider": "email", "providers": ["email"]}',
               '{"full_name": "Shop admin"}')
       on conflict (email) where is_sso_user = false
       do update set encrypted_password = excluded.encrypted_password, email_confirmed_at = now()`,
      [randomUUID(), email, hash],
    );
    await transaction.query(
      "insert into public.user_roles (user_id, role) select id, 'admin' from auth.users where email = $1",
      [email],
    );
  });
}

/** The tasks already done for this database. */
export async function prepareFirstStartTable(sql: Sql): Promise<void> {
  await sql.exec(`
    create schema if not exists private_shop;
    create table if not exists private_shop.first_start (task text primary key, done_at timestamptz default now());`);
}

/** The generated password, shown at every start until the admin has signed in with it. */
async function remindOfFirstAdmin(sql: Sql, dataDir: string): Promise<string[]> {
  const stored = await readFirstAdmin(dataDir);
  if (!stored) return [];
  const [unused] = await sql.query(
    "select from auth.users where email = $1 and last_sign_in_at is null and encrypted_password is not null",
    [stored.email],
  );
  if (unused) {
    return [`First admin: ${stored.email}, password ${stored.password} (shown until they have signed in).`];
  }
  await forgetFirstAdmin(dataDir);
  return [];
}

/**
 * On a database's first start, creates one admin and the demo catalogue, or settings without the demo's words.
 * @returns lines for the owner, among them the admin's password
 */
export async function prepareFirstStart(settings: Settings, sql: Sql, secrets: Secrets): Promise<string[]> {
  await prepareFirstStartTable(sql);
  const notices: string[] = [];
  if (await tableExists(sql, "public.user_roles")) {
    const made = await once(sql, "admin", async () => {
      const { adminEmail, adminPassword } = settings;
      const email = adminEmail ?? defaultAdmin;
      const admin = { email, password: adminPassword ?? randomBytes(12).toString("base64url") };
      if (!adminPassword) await keepFirstAdmin(settings.dataDir, admin);
      await makeAdmin(sql, secrets, admin);
    });
    if (made && settings.adminPassword)
      notices.push(`First admin: ${settings.adminEmail} with the password of ADMIN_PASSWORD.`);
    notices.push(...(await remindOfFirstAdmin(sql, settings.dataDir)));
  }
  const query: Query = (text, values) => sql.query(text, values);
  // A shop created without the demo never gets it later.
  await once(sql, "demo catalogue", async () => {
    if (!settings.demo) return writeOwnSettings(sql);
    await seedDemoCatalogue(query);
    await seedDemoPublishers(query);
    await seedDemoBooklists(query);
  });
  await once(sql, "demo rows", () => markDemoRows(query));
  return notices;
}
