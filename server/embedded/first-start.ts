import { randomBytes } from "node:crypto";
import type { App } from "@supabase/lite";
import { seedDemoCatalogue } from "../../supabase/seed/index.ts";
import type { Settings } from "../settings.ts";
import { requestScope } from "./scope.ts";
import type { Secrets } from "./secrets.ts";
import type { Sql } from "./sql.ts";
import { StartError } from "./start-error.ts";

const defaultAdmin = "admin@shop.example";

/** Each thing of the first start is done once per database, also when the process dies in between. */
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

/** Makes a confirmed account and gives it the admin's role; a rest of an interrupted attempt is replaced. */
async function makeAdmin(
  app: App,
  sql: Sql,
  secrets: Secrets,
  email: string,
  password: string,
): Promise<void> {
  const [known] = await sql.query<{ id: string }>("select id from auth.users where email = $1", [
    email.toLowerCase(),
  ]);
  if (!known) {
    const request = new Request("http://backend/auth/v1/signup", {
      method: "POST",
      headers: { apikey: secrets.publishableKey, "content-type": "application/json" },
      body: JSON.stringify({ email, password, data: { full_name: "Shop admin" } }),
    });
    const answer = await requestScope.run({ redirectTo: null, mute: true }, () => app.fetch(request));
    if (!answer.ok) {
      const { msg } = (await answer.json()) as { msg?: string };
      throw new StartError(`The first admin ${email} cannot be made: ${msg ?? answer.status}`);
    }
  }
  await sql.transaction(async (transaction) => {
    await transaction.query(
      "update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), confirmation_token = null where email = $1",
      [email.toLowerCase()],
    );
    await transaction.query(
      "insert into public.user_roles (user_id, role) select id, 'admin' from auth.users where email = $1",
      [email.toLowerCase()],
    );
  });
}

/** What has been done once for this database. */
export async function prepareFirstStartTable(sql: Sql): Promise<void> {
  await sql.exec(`
    create schema if not exists private_shop;
    create table if not exists private_shop.first_start (task text primary key, done_at timestamptz default now());`);
}

/**
 * On a database's first start: one admin.
 * @returns lines for the owner, among them the admin's password, which stands nowhere else
 */
export async function prepareFirstStart(
  settings: Settings,
  sql: Sql,
  app: App,
  secrets: Secrets,
): Promise<string[]> {
  await prepareFirstStartTable(sql);
  const notices: string[] = [];
  if (await tableExists(sql, "public.user_roles")) {
    const email = settings.adminEmail ?? defaultAdmin;
    const password = settings.adminPassword ?? randomBytes(12).toString("base64url");
    const made = await once(sql, "admin", () => makeAdmin(app, sql, secrets, email, password));
    if (made) {
      const shown = settings.adminPassword
        ? " with the password of ADMIN_PASSWORD."
        : `, password ${password} (shown this once).`;
      notices.push(`First admin: ${email}${shown}`);
    }
  }
  if (settings.demo)
    await once(
      sql,
      "demo catalogue",
      async () => void (await seedDemoCatalogue((text, values) => sql.query(text, values))),
    );
  return notices;
}
