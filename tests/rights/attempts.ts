import { DUTIES, type Duty } from "#app/features/session/duties.ts";
import type { Query } from "#tests/support/database.ts";
import type { Case } from "./cases/case.ts";
import { cases } from "./cases.ts";
import { bucketTables, publicFunctions, type Right, type TableRights, tables } from "./matrix.ts";
import {
  type Answer,
  type Answers,
  type CallerName,
  dutyAttempts,
  type Needed,
  people,
  roleOf,
} from "./people.ts";
import { nameRows, type World } from "./world.ts";

/** One question to the database, and the answer that the matrix or a case states. */
export type Attempt = {
  /** Table, function or constraint that it is about, as "public.books". */
  about: string;
  title: string;
  person: CallerName | "database";
  /** Statements of the owner that come first. */
  given: string[];
  /** A statement that answers one row with the number n of rows that it touched. */
  sql: string;
  /** A question of the owner afterwards, whose one value belongs to the answer. */
  afterwards: string | null;
  /** Triggers and foreign keys disabled, so that only a constraint is tested. */
  bare: boolean;
  expected: Answer;
};

type Column = { table: string; name: string };

const qualified = (name: string) => (name.includes(".") ? name : `public.${name}`);

const counted = (statement: string) =>
  `with touched as (${statement} returning 1) select count(*)::int as n from touched`;

/** Every attempt that the matrix and its cases state for this database. */
export async function listAttempts(query: Query): Promise<Attempt[]> {
  const columns = await query<Column>(
    `select c.oid::regclass::text as table, a.attname::text as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace in ('public'::regnamespace, 'storage'::regnamespace) and a.attnum > 0 and not a.attisdropped
        and c.relkind in ('r', 'p', 'v', 'm', 'f') order by a.attnum`,
  );
  // regclass leaves out a schema that is in the search path.
  const columnsOf = (table: TableRights) =>
    columns.filter((each) => qualified(each.table) === qualified(table.name)).map(({ name }) => name);
  return [
    ...[...tables, ...bucketTables].flatMap((table) => attemptsOn(table, columnsOf(table))),
    ...publicFunctions.flatMap(({ name, call, answers, needed }) =>
      callersOf(`public.${name}`, answers, needed).map((base) => ({
        ...base,
        title: `executes ${call}${base.title}`,
        sql: `select (count(*) + 1)::int as n from public.${call}`,
      })),
    ),
    ...cases.map(asAttempt),
  ];
}

const plain = (about: string, person: CallerName, expected: Answer) => ({
  about,
  person,
  expected,
  given: [] as string[],
  afterwards: null,
  bare: false,
  /** What follows the title: the duties that the caller has. */
  title: "",
});

/** Gives the world's holder these duties. */
const giving = (duties: readonly Duty[]) =>
  `insert into public.staff_duties (user_id, duty) select :holder, unnest('{${duties}}'::text[])`;

/**
 * Everybody whom a line of the matrix names, and people with duties. Grants don't tell people of one role apart, so a right that no
 * signed-in person is granted is not asked about for each set of duties.
 */
const callersOf = (about: string, answers: Answers, needed: Needed) => [
  ...people.map((person) => plain(about, person, answers[person])),
  ...(answers.admin === "no" ? [] : dutyAttempts(answers, needed)).map(([duties, expected]) => ({
    ...plain(about, "holder", expected),
    given: [giving(duties)],
    title:
      duties.length > 1 ? ` with ${duties.length} duties, not ${missingDuties(duties)}` : ` with ${duties}`,
  })),
];

const missingDuties = (duties: readonly Duty[]) => DUTIES.filter((duty) => !duties.includes(duty)).join(", ");

function asAttempt(one: Case): Attempt {
  return {
    about: one.proves,
    title: one.title,
    person: one.as,
    given: one.given ?? [],
    sql: /^\s*select/.test(one.sql) ? one.sql : counted(one.sql),
    afterwards: one.afterwards ?? null,
    bare: one.bare ?? false,
    expected: one.answer,
  };
}

function attemptsOn(table: TableRights, columns: string[]): Attempt[] {
  const name = qualified(table.name);
  return table.rights.flatMap((right) =>
    callersOf(name, right.answers, right.needed).flatMap((base) =>
      statements(table, right, columns, base).map(([title, sql]) => ({
        ...base,
        title: title + base.title,
        sql,
      })),
    ),
  );
}

/** The statements, each with a description, that test one line of the matrix. */
function statements(
  table: TableRights,
  right: Right,
  columns: string[],
  caller: Pick<Attempt, "person" | "expected">,
): [string, string][] {
  const name = qualified(table.name);
  const { expected } = caller;
  if (right.operation === "select")
    return [
      ["reads it", `select count(*)::int as n from (select * from ${name} where ${table.row}) as found`],
    ];
  if (right.operation === "delete")
    return [["deletes it", counted(`delete from ${name}${where(table, caller)}`)]];
  if (right.operation === "insert") return inserting(right, table, columns, expected);
  return columnsNamed(right, table, columns).map((column) => [
    `changes its ${column}`,
    updating(table, column, caller),
  ]);
}

/**
 * A statement that reads no column asks only the policy of its own kind, not the one for reading: so a role that may touch
 * nothing is tried on the whole table. Of files, another duty has others.
 */
function where(table: TableRights, { person, expected }: Pick<Attempt, "person" | "expected">): string {
  const hasOthers = table.name === "profiles" || (table.name === "storage.objects" && person === "holder");
  return expected === "no" || (expected === "none" && !hasOthers) ? "" : ` where ${table.row}`;
}

function updating(table: TableRights, column: string, caller: Pick<Attempt, "person" | "expected">): string {
  const { expected } = caller;
  const itself = expected === "yes" ? `(select c from (select ${column} as c) as itself)` : "default";
  const special = table.name === "orders" && column === "status" ? "'cancelled'" : table.values[column];
  const value = expected === "no" ? "default" : (special ?? itself);
  return counted(`update ${qualified(table.name)} set ${column} = ${value}${where(table, caller)}`);
}

/** A whole row where that is granted; otherwise each column alone, because rights to insert are given by column. */
function inserting(
  right: Right,
  table: TableRights,
  columns: string[],
  expected: Answer,
): [string, string][] {
  const named = columnsNamed(right, table, columns);
  const into = (names: string[], values: string[]) =>
    counted(`insert into ${qualified(table.name)} (${names.join(", ")}) values (${values.join(", ")})`);
  if (expected !== "no") {
    const filled = named.map((column) => table.values[column] ?? "null");
    return [["inserts one", into(named, filled)]];
  }
  return named.map((column) => [`inserts one with ${column}`, into([column], ["default"])]);
}

function columnsNamed(right: Right, table: TableRights, columns: string[]): string[] {
  if (right.columns !== "*") return right.columns ?? [];
  const elsewhere = new Set(
    table.rights.flatMap((other) =>
      other.operation === right.operation && Array.isArray(other.columns) ? other.columns : [],
    ),
  );
  return columns.filter((column) => !elsewhere.has(column));
}

/**
 * The database's response to an attempt, which is then undone. To be called inside a transaction of the owner.
 */
export async function responseTo(query: Query, attempt: Attempt, world: World): Promise<Answer> {
  await query("savepoint attempt");
  try {
    for (const statement of attempt.given) await query(nameRows(statement, world));
    if (attempt.bare) await query("set local session_replication_role = replica");
    if (attempt.person !== "database") {
      const role = roleOf[attempt.person];
      const sub = world[attempt.person];
      const claims = JSON.stringify({ role, ...(sub ? { sub } : {}) });
      await query("select set_config('request.jwt.claims', $1, true), set_config('role', $2, true)", [
        claims,
        role,
      ]);
    }
    const [touched] = await query<{ n: number }>(nameRows(attempt.sql, world));
    const n = touched?.n ?? 0;
    const answer = n < 0 ? "no" : n > 0 ? "yes" : "none";
    if (!attempt.afterwards) return answer;
    await query("select set_config('role', 'none', true)");
    const [after] = await query<Record<string, unknown>>(nameRows(attempt.afterwards, world));
    return `${answer}, ${String(Object.values(after ?? {})[0])}`;
  } catch (error) {
    return refusal(error, attempt);
  } finally {
    await query("rollback to savepoint attempt");
  }
}

function refusal(error: unknown, { about, title }: Attempt): Answer {
  const { code, message, detail, where } = error as Error & {
    code?: string;
    detail?: string;
    where?: string;
  };
  if (!code) throw error;
  if (code.startsWith("PT")) return (JSON.parse(detail ?? "{}") as { code?: string }).code ?? code;
  if (code !== "42501") return code;
  if (/row-level security/.test(message)) return "policy";
  // A right that is missing further inside, in a trigger or in what a function calls, leaves the outer one open.
  const name = about.slice(about.indexOf(".") + 1);
  const isOuter = message.endsWith(` ${name}`) && (!title.startsWith("executes") || !where);
  return isOuter || about.includes(": ") ? "no" : "no, but further inside";
}
