import { PGlite } from "@electric-sql/pglite";
import { getAuthSchemaSql } from "@supabase/lite";
import { expect, onTestFinished, test } from "vitest";
import { tidyAccounts } from "./housekeeping.ts";
import { pgliteSql } from "./sql.ts";

test("Old sign-ins, spent tokens and forgotten sessions go, what is in use stays", async () => {
  const database = new PGlite();
  onTestFinished(() => database.close());
  const sql = pgliteSql(database);
  await sql.exec(getAuthSchemaSql());
  await sql.exec(`
    insert into auth.users (id, email) values ('11111111-1111-4111-8111-111111111111', 'ama@example.com');
    insert into auth.audit_log_entries (id, created_at) values
      (gen_random_uuid(), now() - interval '31 days'), (gen_random_uuid(), now());
    insert into auth.sessions (id, user_id, updated_at, refreshed_at) values
      ('22222222-2222-4222-8222-222222222222', '11111111-1111-4111-8111-111111111111', now() - interval '181 days', null),
      ('33333333-3333-4333-8333-333333333333', '11111111-1111-4111-8111-111111111111', now() - interval '181 days', now());
    insert into auth.refresh_tokens (id, token, user_id, session_id, revoked, updated_at) values
      ('spent', 'spent', '11111111-1111-4111-8111-111111111111', '33333333-3333-4333-8333-333333333333', true, now() - interval '8 days'),
      ('current', 'current', '11111111-1111-4111-8111-111111111111', '33333333-3333-4333-8333-333333333333', false, now() - interval '8 days');`);
  await tidyAccounts(sql);
  expect(await sql.query("select count(*)::int as entries from auth.audit_log_entries")).toEqual([
    { entries: 1 },
  ]);
  expect(await sql.query("select id from auth.sessions")).toEqual([
    { id: "33333333-3333-4333-8333-333333333333" },
  ]);
  expect(await sql.query("select id from auth.refresh_tokens")).toEqual([{ id: "current" }]);
});
