import type { Query } from "#tests/support/database.ts";
import { cases } from "./cases.ts";
import { buckets, bucketTables, privateFunctions, publicFunctions, sequences, tables } from "./matrix.ts";
import { people, roleOf } from "./people.ts";
import { stepsAndTriggers } from "./steps.ts";

const roles = ["anon", "authenticated", "service_role"] as const;

type Named = { name: string };

/**
 * Where the database and the matrix part: what the database has and the matrix does not name, what it names and there is
 * not, and rights that are granted otherwise than stated. Empty when they agree.
 */
export async function findDifferences(query: Query): Promise<string[]> {
  const names = async (sql: string) => (await query<Named>(sql)).map(({ name }) => name);
  return [
    ...differences(
      "table or view",
      tableNames(),
      await names(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`,
      ),
    ),
    ...differences(
      "function",
      publicFunctions.map(({ name }) => name),
      await names("select proname as name from pg_proc where pronamespace = 'public'::regnamespace"),
    ),
    ...differences("right", statedRights(), await names(grantedRights)),
    ...differences("right to a column", statedColumns(await columnNames(query)), await names(grantedColumns)),
    ...differences("function's right", statedExecution(), await names(grantedExecution)),
    ...differences("sequence's right", statedSequences(), await names(grantedSequences)),
    ...differences(
      "bucket",
      statedBuckets(),
      await names(
        `select id || ' ' || jsonb_build_object('public', public, 'size', file_size_limit, 'types', allowed_mime_types) as name from storage.buckets`,
      ),
    ),
    ...differences("trigger, step or constraint", statedGuards(), await names(guards)),
  ];
}

function differences(kind: string, stated: string[], found: string[]): string[] {
  return [
    ...found.filter((name) => !stated.includes(name)).map((name) => `${kind} without a row: ${name}`),
    ...stated.filter((name) => !found.includes(name)).map((name) => `${kind} that is not there: ${name}`),
  ];
}

const tableNames = () => tables.map(({ name }) => name);

/** Rights to whole tables; reading and deleting is given so, writing by column. */
function statedRights(): string[] {
  return tables.flatMap(({ name, rights }) =>
    rights
      .filter(({ operation }) => operation === "select" || operation === "delete")
      .flatMap(({ operation, answers }) =>
        roles
          .filter((role) => isGranted(answers, role))
          .map((role) => `${name} ${role} ${operation.toUpperCase()}`),
      ),
  );
}
const grantedRights = `
  select c.relname || ' ' || a.grantee::regrole || ' ' || a.privilege_type as name
    from pg_class c cross join lateral aclexplode(c.relacl) a
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and a.grantee <> c.relowner`;

/** People of one role have the same grants: either all of them get "no", or none. */
function isGranted(answers: Record<string, string>, role: (typeof roles)[number]): boolean {
  const granted = people
    .filter((person) => roleOf[person] === role)
    .map((person) => answers[person] !== "no");
  if (new Set(granted).size > 1)
    throw new Error(`Grants do not tell people of ${role} apart: ${JSON.stringify(answers)}`);
  return granted[0] === true;
}

async function columnNames(query: Query): Promise<Map<string, string[]>> {
  const rows = await query<{ table: string; name: string }>(
    `select c.relname as table, a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped`,
  );
  const columns = new Map<string, string[]>();
  for (const { table, name } of rows) columns.set(table, [...(columns.get(table) ?? []), name]);
  return columns;
}

function statedColumns(columns: Map<string, string[]>): string[] {
  return tables.flatMap(({ name, rights }) =>
    rights
      .filter(({ operation }) => operation === "insert" || operation === "update")
      .flatMap(({ operation, columns: named, answers }) => {
        const meant = named === "*" ? [] : (named ?? []);
        if (named === "*" && roles.some((role) => isGranted(answers, role)))
          return (columns.get(name) ?? []).map((column) => `${name}.${column} is granted by "*"`);
        return roles
          .filter((role) => isGranted(answers, role))
          .flatMap((role) => meant.map((column) => `${name}.${column} ${role} ${operation.toUpperCase()}`));
      }),
  );
}
const grantedColumns = `
  select p.table_name || '.' || p.column_name || ' ' || p.grantee || ' ' || p.privilege_type as name
    from information_schema.column_privileges p
   where p.table_schema = 'public' and p.grantee in ('anon', 'authenticated', 'service_role', 'PUBLIC')
     and p.privilege_type <> 'SELECT'`;

function statedExecution(): string[] {
  const stated = (name: string, granted: readonly string[]) => granted.map((role) => `${name} ${role}`);
  return [
    ...publicFunctions.flatMap(({ name, answers }) =>
      stated(
        `public.${name}`,
        roles.filter((role) => isGranted(answers, role)),
      ),
    ),
    ...privateFunctions.everybody.flatMap((name) => stated(`private.${name}`, roles)),
    ...privateFunctions.signedInAndKey.flatMap((name) =>
      stated(`private.${name}`, ["authenticated", "service_role"]),
    ),
    ...privateFunctions.key.flatMap((name) => stated(`private.${name}`, ["service_role"])),
    ...privateFunctions.signedIn.flatMap((name) => stated(`private.${name}`, ["authenticated"])),
    ...privateFunctions.nobody.map((name) => `private.${name} nobody`),
  ];
}
const grantedExecution = `
  select p.pronamespace::regnamespace || '.' || p.proname || ' ' || coalesce(r.role, 'nobody') as name
    from pg_proc p
    left join unnest(array['anon', 'authenticated', 'service_role']) as r (role) on has_function_privilege(r.role, p.oid, 'execute')
   where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)`;

const statedSequences = () =>
  Object.entries(sequences).flatMap(([name, granted]) =>
    granted.split(", ").map((right) => `${name} ${right}`),
  );
const grantedSequences = `
  select c.relnamespace::regnamespace || '.' || c.relname || ' ' || a.grantee::regrole || ' ' || a.privilege_type as name
    from pg_class c cross join lateral aclexplode(c.relacl) a
   where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'S' and a.grantee <> c.relowner`;

const statedBuckets = () =>
  buckets.map(
    ({ id, settings: { public: open, file_size_limit: size, allowed_mime_types: types } }) =>
      `${id} {"size": ${size}, "types": [${types.map((type) => `"${type}"`).join(", ")}], "public": ${open}}`,
  );

/** Policies and functions are named by the matrix; triggers, steps, checks, unique and foreign keys each by a case. */
const statedGuards = () => [
  ...new Set(cases.map(({ proves }) => proves).filter((proves) => !/: |^public\./.test(proves))),
];
const guards = `
  ${stepsAndTriggers}
  union all
  select replace(conrelid::regclass::text, 'public.', '') || '.' || conname from pg_constraint
   where connamespace = 'public'::regnamespace and contype in ('c', 'u', 'f')`;

/** The objects on which the matrix's questions are asked, with their schema. */
export const askedTables = () => [
  ...tableNames().map((name) => `public.${name}`),
  ...bucketTables.map(({ name }) => name),
];
