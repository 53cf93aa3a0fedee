import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { makeRole } from "#server/shop/bootstrap.ts";
import { openSql } from "#tests/support/test-server.ts";

test("Two shops that start at the same moment in two databases of one server both have the roles", async () => {
  const shops = [await openSql(), await openSql()];
  onTestFinished(async () => {
    await shops[0]?.sql.exec("drop role if exists made_twice");
    for (const { close } of shops) await close();
  });
  await Promise.all(
    shops.map(({ sql }) =>
      sql.transaction(async (transaction) => {
        await makeRole(transaction, "made_twice", "nologin");
        // The other one is waiting now for this one to commit.
        await pause(300);
        await transaction.exec("grant made_twice to current_user");
      }),
    ),
  );
  const found = await shops[0]?.sql.query("select rolcanlogin from pg_roles where rolname = 'made_twice'");
  expect(found).toEqual([{ rolcanlogin: false }]);
});
