import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import {
  type FunctionRights,
  publicFunctions,
  type Right,
  type TableRights,
  tables,
} from "#tests/rights/matrix.ts";
import {
  type Answer,
  type Answers,
  type CallerName,
  dutyAttempts,
  type Needed,
  people,
} from "#tests/rights/people.ts";
import { type AnyClient, type ApiWorld, makeApiWorld } from "./matrix-world.ts";
import { describeContract } from "./target.ts";

type Reply = { data: unknown; error: { code?: string; message: string; details?: string | null } | null };

/** The reply in the matrix's words. */
function answerOf({ data, error }: Reply): Answer {
  if (!error) return Array.isArray(data) && data.length === 0 ? "none" : "yes";
  if (error.code === "42501") return /row-level security/.test(error.message) ? "policy" : "no";
  if (error.code?.startsWith("PT"))
    return (JSON.parse(error.details ?? "{}") as { code?: string }).code ?? error.code;
  return `${error.code}: ${error.message}`;
}

/** A value of the matrix, which is SQL, as JSON. */
function asJson(sql: string, ids: ApiWorld["ids"]): unknown {
  if (sql === "gen_random_uuid()") return randomUUID();
  if (sql === "null") return null;
  if (sql === "true" || sql === "false") return sql === "true";
  if (sql.startsWith(":")) return ids[sql.slice(1)];
  return sql.startsWith("'") ? sql.slice(1, -1) : Number(sql);
}

/** Arguments that are JSON. */
const jsonArguments = /^_(rows|lines|payments|lists|order|values|seen)$/;

/** Identity and generated columns are refused for what they are, before any rights are checked. */
const madeByDatabase = /^(id|number|title_key|isbn_key|isbn13|search_text|word_text)$/;

/**
 * Rights are the database's, where tests/database/rights-matrix.test.ts tries all of them. The API says who is asking, which is
 * the same for each table: these have rows of everybody's, of one person's, of staff's and of admins'.
 */
const chosen = ["books", "profiles", "user_roles", "cart_items", "orders", "order_events"];

/* What the matrix says, through the client that browsers have. The demo catalogue brings the reviews. */
describeContract(
  "The rights matrix through the browser's client",
  (target) => {
    let world: ApiWorld;
    beforeAll(async () => {
      world = await makeApiWorld(target());
    });

    /** Everybody whom a line names, and the holder with each set of duties that makes a difference. */
    function callersOf({ answers, needed }: { answers: Answers; needed: Needed }) {
      const named = people.map((name) => ({
        person: { name: name as CallerName, title: name as string, prepare: async () => {} },
        expected: answers[name],
      }));
      const holders = answers.admin === "no" ? [] : dutyAttempts(answers, needed);
      return [
        ...named,
        ...holders.map(([duties, expected]) => ({
          person: {
            name: "holder" as CallerName,
            title: `with ${duties}`,
            prepare: () => world.giveDuties(duties),
          },
          expected,
        })),
      ];
    }

    async function ask(client: AnyClient, table: TableRights, right: Right, star: string[]): Promise<Reply> {
      const [, column = "", name = ""] = /^(\w+) = :(\w+)$/.exec(table.row) ?? [];
      const id = world.ids[name] ?? "";
      const columns = Array.isArray(right.columns) ? right.columns : star.slice(0, 1);
      const values = Object.fromEntries(
        columns.map((each) => [each, table.values[each] ? asJson(table.values[each], world.ids) : null]),
      );
      const rows = client.from(table.name);
      if (right.operation === "select") return rows.select("*").eq(column, id);
      if (right.operation === "delete") return rows.delete().eq(column, id).select(column);
      if (right.operation === "insert") return rows.insert(values).select(column);
      const changed = table.name === "orders" && right.columns !== "*" ? { status: "cancelled" } : values;
      // A book without a title would be refused for another reason.
      const {
        title = "A title",
        price = 1,
        stock_quantity = 1,
        ...others
      } = changed as Record<string, unknown>;
      const book =
        table.name === "books" && right.columns !== "*"
          ? { title, price, stock_quantity, ...others }
          : changed;
      return rows.update(book).eq(column, id).select(column);
    }

    it.for(tables.filter(({ name }) => chosen.includes(name)))(
      "gives the stated responses about $name",
      async (table) => {
        const named = table.rights.flatMap(({ operation, columns }) =>
          Array.isArray(columns) ? columns.map((column) => `${operation} ${column}`) : [],
        );
        const wrong: string[] = [];
        await world.renew.books?.();
        await world.renew[table.name]?.();
        const { data } = await world.clients.key.from(table.name).select("*").limit(1);
        for (const right of table.rights) {
          const star = Object.keys(data?.[0] ?? {}).filter(
            (column) => !madeByDatabase.test(column) && !named.includes(`${right.operation} ${column}`),
          );
          for (const { person, expected } of callersOf(right)) {
            await person.prepare();
            if (expected === "yes" && right.operation !== "select") await world.renew[table.name]?.();
            const answer = answerOf(await ask(world.clients[person.name], table, right, star));
            if (answer !== expected)
              wrong.push(
                `${person.title} ${right.operation} ${right.columns}: ${answer} instead of ${expected}`,
              );
          }
        }
        expect(wrong).toEqual([]);
      },
    );

    async function call(person: CallerName, { name, call: text }: FunctionRights): Promise<Reply> {
      const given =
        /(_\w+) => (array\[|jsonb_populate_record\(null::public\.\w+, )?(:\w+|'[^']*'|\d+|true|false|null|gen_random_uuid\(\))/g;
      const named = [...text.matchAll(given)].map(([, argument = "", opening, sql = ""]) => {
        const value = asJson(sql, world.ids);
        if (opening === "array[") return [argument, [value]];
        const isJson =
          opening || jsonArguments.test(argument) || (name === "save_publisher" && argument === "_publisher");
        return [argument, isJson ? JSON.parse(String(value)) : value];
      });
      const sent = Object.fromEntries(named);
      if (name === "order_publishers") sent._ids = await world.listPublishers();
      const { data, error } = await world.clients[person].rpc(name, sent);
      return { data: error ? null : { answered: data }, error };
    }

    it("gives the stated responses when each person calls each function", async () => {
      const wrong: string[] = [];
      for (const each of publicFunctions) {
        for (const { person, expected } of callersOf(each)) {
          await person.prepare();
          if (expected === "yes") await world.renew[each.name]?.();
          const answer = answerOf(await call(person.name, each));
          if (answer !== expected)
            wrong.push(`${person.title} ${each.call}: ${answer} instead of ${expected}`);
        }
      }
      expect(wrong).toEqual([]);
    }, 300_000);
  },
  { hosted: false },
);
