import { expect, test } from "vitest";
import { listTables, readRows } from "#server/shop/backup/tables.ts";
import { openSql } from "#tests/support/test-server.ts";

test("a backup has the texts that enough visitors searched for, and nothing that identifies visitors", async () => {
  const { sql, close } = await openSql("migrated");
  await sql.exec(`
    insert into private.unmet_demand values
      ('search', '2026-03-01', 'two months', 2, 0), ('search', '2026-04-01', 'two months', 2, 0),
      ('search', '2026-04-01', 'three visitors', 1, 0), ('search', '2026-04-30', 'three visitors', 2, 0),
      ('line', '2026-04-30', 'two schools', 2, 0), ('line', '2026-04-30', 'one school', 1, 0);
    insert into private.unmet_demand_visitors values ('search', 'two months', 'a hash');
    insert into private.unmet_demand_salts values ('2026-04-01', 'a salt')`);
  const tables = (await listTables(sql)).filter(({ name }) => name.includes("unmet_demand"));
  expect(tables.map(({ name }) => name)).toEqual(["private.unmet_demand"]);
  const [table] = tables;
  if (!table) return;
  const texts = await sql.transaction(async (inside) => {
    const rows = [];
    for await (const some of readRows(inside, table)) rows.push(...some);
    return rows.map((row) => JSON.parse(row).text).sort();
  });
  expect(texts).toEqual(["three visitors", "three visitors", "two schools"]);
  await close();
});
