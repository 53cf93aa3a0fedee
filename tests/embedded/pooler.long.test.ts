import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "#tests/support/eventually.ts";
import { addBook, dataOf, delivery, fillCart } from "#tests/support/factories.ts";
import { jpegOf } from "#tests/support/jpeg.ts";
import { openMachines } from "#tests/support/machines.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { findPoolerProblem, startPooler } from "#tests/support/replicated-postgres.ts";
import { START_MS } from "#tests/support/shop-server.ts";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";

/* Machines behind PgBouncer, which may run each transaction on another connection, one that somebody else has just used. */

vi.setConfig({ testTimeout: 2 * START_MS });

const problem = await findPoolerProblem();
sayWhatIsSkipped("machines behind PgBouncer", problem);

test.skipIf(problem)(
  `Behind PgBouncer in transaction mode, machines serve visitors, customers and staff side by side, each with their own rights${problem ? ` (skipped: ${problem})` : ""}`,
  async () => {
    const database = await newDatabase();
    onTestFinished(database.drop);
    const pooler = await startPooler(database.url);
    onTestFinished(pooler.stop);
    const shop = await openMachines(2, pooler.url, database.url);
    onTestFinished(shop.stop);
    const admin = await shop.signInAdmin();
    const book = await addBook(admin, { price: 10, stock_quantity: 100 });
    const [ama, esi] = await Promise.all([
      shop.signUp("ama@example.com", "203.0.113.1"),
      shop.signUp("esi@example.com", "203.0.113.2"),
    ]);
    for (const { client, id: user_id } of [ama, esi]) {
      await fillCart(client, book.id);
      const row = { user_id, total_amount: 10, status: "pending", ...delivery };
      expect((await client.from("orders").insert(row)).error).toBeNull();
    }
    const picture = jpegOf("a cover");
    const covers = admin.storage.from("book-covers");
    expect((await covers.upload("here.jpg", new Blob([picture], { type: "image/jpeg" }))).error).toBeNull();
    for (const { url } of shop.machines) {
      const response = await fetch(`${url}/storage/v1/object/public/book-covers/here.jpg`);
      expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true);
    }

    const visitor = shop.clientOf("203.0.113.3");
    let looking = 2;
    const look = async () => {
      for (let round = 0; round < 8; round += 1) {
        const [own, others, none, all] = await Promise.all([
          dataOf(ama.client.from("orders").select("user_id")),
          dataOf(esi.client.from("orders").select("user_id")),
          visitor.from("orders").select("user_id"),
          dataOf(admin.from("orders").select("user_id")),
        ]);
        expect([own, others, all.length]).toEqual([[{ user_id: ama.id }], [{ user_id: esi.id }], 2]);
        expect(none.data ?? []).toEqual([]);
        expect(
          (await visitor.from("books").update({ price: 1 }).eq("id", book.id).select()).error?.code,
        ).toBe("42501");
      }
      looking -= 1;
    };
    // Clients who leave early have their statements ended, and no one else's.
    const leave = async () => {
      while (looking > 0) {
        const signal = AbortSignal.timeout(3);
        await fetch(`${shop.url}/shop?q=${Math.random()}`, { signal }).catch(() => {});
        await pause(20);
      }
    };
    await Promise.all([look(), look(), leave()]);
    await eventually(
      () => expect(shop.mails().filter(({ to }) => to.includes("ama@example.com"))).toHaveLength(2),
      { timeout: 30_000 },
    );
    const used = await shop.sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    expect(used[0]?.count).toBeLessThanOrEqual(4);
  },
);
