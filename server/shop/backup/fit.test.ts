import { expect, test } from "vitest";
import type { Sql } from "../../database/sql.ts";
import { matchTable, setPosition, withoutColumns } from "./fit.ts";
import type { Table } from "./tables.ts";

const table = (name: string, ...columns: string[]) => ({ name, columns }) as unknown as Table;
const existing = [table("public.books", "title", "price"), table("auth.users", "id")];

test("A table of the backup is restored with the columns that it has", () => {
  expect(matchTable(existing, table("public.books", "title"))).toEqual({
    table: { name: "public.books", columns: ["title"] },
    unknown: [],
  });
});

test("Nothing of the shop's own tables is left out", () => {
  expect(() => matchTable(existing, table("public.books", "title", "shelf", "row"))).toThrow(
    "The backup does not fit this version: public.books has no shelf",
  );
  expect(() => matchTable(existing, table("public.shelves", "id"))).toThrow("public.shelves has no id");
  expect(() => matchTable(existing, table("public.auth.x", "id"))).toThrow("public.auth.x has no id");
});

test.each(["auth", "storage", "private_shop"])(
  "What is unknown of the system's tables in %s is left out",
  (schema) => {
    const users = [table(`${schema}.users`, "id")];
    expect(matchTable(users, table(`${schema}.users`, "id", "phone"))).toEqual({
      table: { name: `${schema}.users`, columns: ["id"] },
      unknown: ["phone"],
    });
    expect(matchTable(existing, table(`${schema}.gone`, "id"))).toBeNull();
  },
);

/** A database that responds to one query after another, and records them. */
function database(...responses: unknown[][]) {
  const asked: unknown[][] = [];
  const query = async (text: string, values: unknown[]) => {
    asked.push([text.split(" ").slice(0, 2).join(" "), ...values]);
    return responses.shift() ?? [];
  };
  return { asked, sql: { query } as unknown as Sql };
}

test("Rows stay unchanged unless a column is left out", async () => {
  const none = database();
  expect(await withoutColumns(none.sql, ['{"a":1}'], [])).toEqual(['{"a":1}']);
  expect(none.asked).toEqual([]);
  const some = database([{ row: '{"a":1}' }, { row: '{"a":2}' }]);
  expect(await withoutColumns(some.sql, ['{"a":1,"b c":2}', '{"a":2}'], ['"b c"', "d"])).toEqual([
    ...['{"a":1}', '{"a":2}'],
  ]);
  expect(some.asked[0]?.slice(1)).toEqual(['[{"a":1,"b c":2},{"a":2}]', '["b c","d"]']);
});

test("A known sequence is set to its position, if it was ever used", async () => {
  const unused = database();
  await setPosition(unused.sql, { name: "public.orders_number", last: null });
  expect(unused.asked).toEqual([]);
  const used = database([{ found: true }]);
  await setPosition(used.sql, { name: "public.orders_number", last: "1042" } as never);
  expect(used.asked).toEqual([
    ["select to_regclass($1)", "public.orders_number"],
    ["select setval($1::text::regclass,", "public.orders_number", "1042"],
  ]);
});

test("An unknown sequence of the shop is refused, one of the system's is left out", async () => {
  const position = (name: string) =>
    setPosition(database([{ found: false }]).sql, { name, last: "7" } as never);
  await expect(position("public.gone")).rejects.toThrow("does not fit this version: there is no public.gone");
  await expect(position("auth.gone")).resolves.toBeUndefined();
});
