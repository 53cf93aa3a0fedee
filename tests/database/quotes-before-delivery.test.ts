import { expect, onTestFinished, test } from "vitest";
import { listMigrations } from "#server/database/migration-files.ts";
import { openDatabase } from "#tests/support/database.ts";
import { addCustomer } from "#tests/support/database-factories.ts";

/** The migration with which quotes say how they are delivered. */
const saidSince = "20261129230000";

test("an upgrade leaves earlier quotes as they are: delivery is included in their prices", async () => {
  const database = await openDatabase({ migrate: false });
  onTestFinished(() => database.close());
  const migrations = await listMigrations();
  const apply = async (which: typeof migrations) => {
    for (const { text } of which) await database.run(text);
  };
  await apply(migrations.filter(({ version }) => version < saidSince));
  const customer = await addCustomer(database);
  await database.query(
    `insert into public.quotes (user_id, status, year, number, valid_until, sent_at)
     values ($1, 'requested', null, null, null, null), ($1, 'sent', 2026, 1, '2026-12-01', now())`,
    [customer.id],
  );
  await apply(migrations.filter(({ version }) => version >= saidSince));
  expect(
    await database.query(
      "select status, version, delivery_pricing, delivery_fee::float8 as fee, region from public.quotes order by status",
    ),
  ).toEqual(
    ["requested", "sent"].map((status) => ({
      status,
      version: 1,
      delivery_pricing: "included",
      fee: 0,
      region: null,
    })),
  );
});
