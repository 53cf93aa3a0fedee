import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { DUTIES } from "#app/features/session/duties.ts";
import { publicFunctions, tables } from "#tests/rights/matrix.ts";
import { makeWorld, nameRows, type World } from "#tests/rights/world.ts";
import type { Query } from "#tests/support/database.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { undoing } from "#tests/support/undoing.ts";

/** They are for these two: the customer, and staff with both duties. */
const SHOWN_BY = ["own_downloads", "list_given_codes"];

describeDatabase("A licence code", (open) => {
  let world: World;
  const given = `SECRET-${randomUUID()}`;
  const free = `SECRET-${randomUUID()}`;
  beforeAll(async () => {
    world = await makeWorld(open());
    const title = `insert into public.books (title, price, kind, digital_by) values ('Codes', 0, 'digital', 'code') returning id`;
    const [book] = await open().query<{ id: string }>(title);
    await open().query(
      `insert into private.licence_codes (book_id, code, order_id, given_at)
       values ($1, $2, $3, now()), ($1, $4, null, null)`,
      [book?.id, given, world.order, free],
    );
    await open().query(
      "insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title, kind) values ($1, $2, $2, 1, 0, 'Codes', 'digital')",
      [world.order, book?.id],
    );
  });

  const become = (query: Query, id: string | undefined) =>
    query("select set_config('request.jwt.claims', $1, true), set_config('role', 'authenticated', true)", [
      JSON.stringify({ role: "authenticated", sub: id }),
    ]);

  /** Runs every function with the matrix's arguments, and reads every table; returns what was shown, by name. */
  const readAll = (as: string, duties: readonly string[]) =>
    undoing(open().transaction, async (query) => {
      await query(
        "insert into public.staff_duties (user_id, duty) select $1, unnest($2::text[]) on conflict do nothing",
        [world.holder, duties],
      );
      const shown = new Map<string, string>();
      const reads = [
        ...publicFunctions.map(({ name, call }) => ({ name, from: `public.${call}` })),
        ...tables.map(({ name }) => ({ name, from: name.includes(".") ? name : `public.${name}` })),
      ];
      for (const { name, from } of reads) {
        await query("savepoint one");
        await become(query, world[as]);
        const text = await query<{ text: string }>(
          nameRows(`select coalesce(json_agg(r), '[]')::text as text from ${from} as r`, world),
        ).catch(() => null);
        await query("rollback to savepoint one");
        if (text) shown.set(name, (shown.get(name) ?? "") + String(text[0]?.text));
      }
      return shown;
    });
  const showing = (shown: Map<string, string>, code: string) =>
    [...shown].filter(([, text]) => text.includes(code)).map(([name]) => name);

  test("is in no list, export, log or table that an admin reads, apart from the one that says so", async () => {
    const shown = await readAll("admin", []);
    expect(shown.size).toBeGreaterThan(150);
    expect(showing(shown, given).filter((name) => !SHOWN_BY.includes(name))).toEqual([]);
    expect(showing(shown, free)).toEqual([]);
  });

  test.each(["catalogue", "orders"])("is shown nowhere to staff with all duties but %s", async (missing) => {
    const shown = await readAll(
      "holder",
      DUTIES.filter((duty) => duty !== missing),
    );
    expect(shown.size).toBeGreaterThan(100);
    expect([...showing(shown, given), ...showing(shown, free)]).toEqual([]);
  });

  test("is shown to staff with both duties, and to its customer, which proves that these tests look", async () => {
    const as = (person: string, duties: string[], from: string) =>
      undoing(open().transaction, async (query) => {
        await query("insert into public.staff_duties (user_id, duty) select $1, unnest($2::text[])", [
          world.holder,
          duties,
        ]);
        await become(query, world[person]);
        const [row] = await query<{ text: string }>(
          nameRows(`select json_agg(r)::text as text from public.${from} as r`, world),
        );
        return row?.text;
      });
    expect(await as("holder", ["catalogue", "orders"], "list_given_codes(:order)")).toContain(given);
    const owner = await as("customer", [], "own_data()");
    expect(owner).not.toContain(free);
  });
});
