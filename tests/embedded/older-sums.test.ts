import { afterAll, expect, test } from "vitest";
import { listMigrations } from "#server/database/migration-files.ts";
import { applyMigrations } from "#server/database/migrations.ts";
import { openSql, readHostedProject } from "#tests/support/test-server.ts";

const { sql, close } = await openSql();
afterAll(close);

test("The sums of sales of a shop that had their ids as text are the same after its update", async () => {
  const known = await listMigrations();
  const byUuid = known.findIndex(({ name }) => name === "sums_of_sales_by_uuid");
  await sql.exec(await readHostedProject());
  await applyMigrations(sql, known.slice(0, byUuid));
  const [book, customer] = ["0b9f4a86-5f0e-4c06-9d52-0b1c2d3e4f50", "7e57ab1e-0000-4000-8000-000000000001"];
  await sql.exec(`insert into private.sales (dimension, key, grain, start, orders, copies, books, delivery, owed)
    select d.dimension, d.key, 'month', '2026-01-01', 1, 2, 3, 4, 5
      from (values ('region', 'Volta'), ('region', ''), ('customer', '${customer}'), ('customer', ''),
                   ('book', '${book}'), ('book', ''), ('costed', '${book}')) as d (dimension, key)`);
  await applyMigrations(sql, known.slice(0, byUuid + 1));
  const rows = await sql.query<{ dimension: string; key: string; region: string }>(
    `select dimension, coalesce(nullif(key, private.no_key())::text, '') as key, region from private.sales
      where (grain, start, orders, copies, books, delivery, owed, cost) = ('month', '2026-01-01', 1, 2, 3, 4, 5, 0)
      order by dimension, key, region`,
  );
  expect(rows.map((row) => [row.dimension, row.key, row.region])).toEqual([
    ["book", "", ""],
    ["book", book, ""],
    ["costed", book, ""],
    ["customer", "", ""],
    ["customer", customer, ""],
    ["region", "", ""],
    ["region", "", "Volta"],
  ]);
});
