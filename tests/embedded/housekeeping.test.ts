import { expect, onTestFinished, test } from "vitest";
import type { StoredFiles } from "#server/api/storage/stored-files.ts";
import {
  checkSales,
  forgetOldOrders,
  forgetOldRegistrations,
  startHousekeeping,
  tidyAccounts,
} from "#server/shop/housekeeping.ts";
import { openSql } from "#tests/support/test-server.ts";

const ama = "11111111-1111-4111-8111-111111111111";

test("Spent tokens, stale sessions, old links, sign-ups, limits and known networks are deleted, what is in use stays", async () => {
  const { sql, close } = await openSql("prepared");
  onTestFinished(close);
  await sql.exec(`
    insert into auth.users (id, email) values ('${ama}', 'ama@example.com');
    insert into auth.sessions (id, user_id, updated_at, refreshed_at) values
      ('22222222-2222-4222-8222-222222222222', '${ama}', now() - interval '181 days', null),
      ('33333333-3333-4333-8333-333333333333', '${ama}', now() - interval '181 days', now());
    insert into auth.refresh_tokens (id, token, user_id, session_id, revoked, updated_at) values
      ('spent', 'spent', '${ama}', '33333333-3333-4333-8333-333333333333', true, now() - interval '8 days'),
      ('current', 'current', '${ama}', '33333333-3333-4333-8333-333333333333', false, now() - interval '8 days');
    insert into private_shop.email_links (token_hash, kind, user_id, email, created_at) values
      ('old', 'recovery', '${ama}', 'ama@example.com', now() - interval '25 hours'),
      ('new', 'recovery', '${ama}', 'ama@example.com', now());
    insert into private_shop.sign_ups (address, password_hash, signed_up_at) values
      ('forgotten', 'hash', now() - interval '31 days'), ('waiting', 'hash', now() - interval '29 days');
    insert into private_shop.attempts (key, attempts, ends_at) values
      ('over', 3, now() - interval '1 second'), ('running', 3, now() + interval '1 minute');
    insert into private_shop.known_networks (user_id, network, seen_at) values
      ('${ama}', 'left', now() - interval '366 days'), ('${ama}', 'home', now());`);
  await tidyAccounts(sql);
  const left = async (column: string, table: string) =>
    (await sql.query<{ it: string }>(`select ${column} as it from ${table}`)).map(({ it }) => it);
  expect(await left("id", "auth.sessions")).toEqual(["33333333-3333-4333-8333-333333333333"]);
  expect(await left("id", "auth.refresh_tokens")).toEqual(["current"]);
  expect(await left("token_hash", "private_shop.email_links")).toEqual(["new"]);
  expect(await left("address", "private_shop.sign_ups")).toEqual(["waiting"]);
  expect(await left("key", "private_shop.attempts")).toEqual(["running"]);
  expect(await left("network", "private_shop.known_networks")).toEqual(["home"]);
});

test("names are removed from all orders that are older than the owner's setting, in steps, and from none without it", async () => {
  const { sql, close } = await openSql("migrated");
  onTestFinished(close);
  await sql.exec(`
    insert into public.orders (total_amount, status, recipient_name, created_at)
    select 0, 'cancelled', 'Ama', now() - interval '4 years' from generate_series(1, 3);
    insert into public.orders (total_amount, status, recipient_name) values (0, 'cancelled', 'Kofi');`);
  expect(await forgetOldOrders(sql)).toBe(0);
  await sql.exec("insert into public.shop_settings (id, value) values ('forgetOrdersAfterYears', '3')");
  expect(await forgetOldOrders(sql, 2)).toBe(3);
  expect(
    await sql.query("select recipient_name as name from public.orders where recipient_name is not null"),
  ).toEqual([{ name: "Kofi" }]);
});

test("registrations are deleted a month after their event, in steps, and others stay", async () => {
  const { sql, close } = await openSql("migrated");
  onTestFinished(close);
  await sql.exec(`
    with held as (
      insert into public.events (slug, title, kind, place, starts_at, ends_at, places, state, published_at)
      select 'e' || days, 'Reading', 'reading', 'Osu', now() - (days + 1) * interval '1 day', now() - days * interval '1 day', 9, 'published', now()
        from unnest('{29,31}'::int[]) as days
      returning id
    )
    insert into public.event_registrations (event_id, name, phone, state)
    select id, 'Teacher ' || n, '0240001111', 'registered' from held, generate_series(1, 3) as n;`);
  expect(await forgetOldRegistrations(sql, 2)).toBe(3);
  expect(
    await sql.query("select slug, past_registrations from public.events where past_registrations > 0"),
  ).toEqual([{ slug: "e31", past_registrations: 3 }]);
  expect(await sql.query("select count(*)::int as n from public.event_registrations")).toEqual([{ n: 3 }]);
});

test("housekeeping compares the report sums with the orders once a day and logs a difference", async () => {
  const { sql, close } = await openSql("migrated");
  onTestFinished(close);
  expect(await checkSales(sql)).toBe(0);
  await sql.exec(
    "insert into private.sales_changes (day, is_line, region, orders) values ('2026-02-01', false, '', 1)",
  );
  expect(await checkSales(sql)).toBeNull();
  await sql.exec("update private.sales_checks set checked_at = now() - interval '21 hours'");
  const line = await new Promise<string>((resolve) => {
    const files = { removeOrphans: async () => {} } as unknown as StoredFiles;
    onTestFinished(startHousekeeping(sql, files, resolve));
  });
  expect(line).toBe("5 report sums don't agree with the orders (see docs/running.md, Reports)");
});
