import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hostedCalls } from "#server/hosted/calls.ts";
import { startHostedHousekeeping } from "#server/hosted/housekeeping.ts";
import { readSettings } from "#server/lib/settings.ts";
import { openBackend } from "#server/open-backend.ts";
import { eventually } from "#tests/support/eventually.ts";
import { hostedSettings, secretKey, startOwnProject } from "#tests/support/own-project.ts";

/** Orders, registrations, a consultation and a link to a file, each old and new; the owner removes names after three years. */
const oldData = `
  insert into public.shop_settings (id, value) values ('forgetOrdersAfterYears', '3');
  insert into public.orders (total_amount, status, recipient_name, created_at)
  select 0, 'cancelled', 'Old', now() - interval '4 years' from generate_series(1, 201);
  insert into public.orders (total_amount, status, recipient_name) values (0, 'cancelled', 'New');
  with held as (
    insert into public.events (slug, title, kind, place, starts_at, ends_at, places, state, published_at)
    select 'e' || days, 'Reading', 'reading', 'Osu', now() - (days + 1) * interval '1 day', now() - days * interval '1 day', 9, 'published', now()
      from unnest('{29,31}'::int[]) as days
    returning id, slug
  )
  insert into public.event_registrations (event_id, name, phone, state)
  select id, case slug when 'e31' then 'Old' else 'New' end, '0240001111', 'registered' from held;
  insert into public.consultations (name, email, about, updated_at)
  select name, 'ama@school.example', 'curriculum', now() - years * interval '1 year' from (values ('Old', 4), ('New', 1)) as c (name, years);
  insert into private.download_tickets (token_hash, file_id, order_id, user_id, expires_at)
  select sha256(name::bytea), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() - days * interval '1 day'
    from (values ('Old', 8), ('New', 6)) as t (name, days);`;

const named = `
  select recipient_name as name from public.orders where recipient_name is not null
  union all select name from public.event_registrations
  union all select name from public.consultations
  union all select case token_hash when sha256('New') then 'New' else 'Old' end from private.download_tickets`;
const onlyNew = Array.from({ length: 4 }, () => ({ name: "New" }));

test("a hosted project's old names, registrations, consultations and links are deleted, all of them, and new ones stay", async () => {
  const project = await startOwnProject();
  await project.sql.exec(oldData);
  const dataDir = await mkdtemp(join(tmpdir(), "hosted-shop-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const settings = { ...hostedSettings(project.url), SUPABASE_SECRET_KEY: secretKey, DATA_DIR: dataDir };
  const backend = await openBackend(readSettings(settings), () => {});
  onTestFinished(backend.stop);
  await eventually(async () => expect(await project.sql.query(named)).toEqual(onlyNew), { timeout: 30_000 });
});

test("with a wrong key nothing is deleted, and the log has a line for each, without the key", async () => {
  const project = await startOwnProject();
  await project.sql.exec(oldData);
  const before = await project.sql.query(named);
  const lines: string[] = [];
  const stop = startHostedHousekeeping(hostedCalls(project.url, "sb_secret_wrong"), (line) =>
    lines.push(line),
  );
  onTestFinished(stop);
  await eventually(() => expect(lines).toHaveLength(4), { timeout: 30_000 });
  expect(lines.map((line) => line.replace(/40\d/, "40*"))).toEqual([
    "names on old orders could not be deleted (40*)",
    "registrations for past events could not be deleted (40*)",
    "old consultations could not be deleted (40*)",
    "links to files that have ended could not be deleted (40*)",
  ]);
  expect(await project.sql.query(named)).toEqual(before);
});
