import { DUTIES } from "#app/features/session/duties.ts";
import { listSteps } from "#tests/rights/steps.ts";
import type { Query } from "#tests/support/database.ts";

/** One way to weaken the database's defences. */
export type Mutant = {
  kind: "policy" | "grant" | "constraint" | "trigger" | "step" | "guard" | "duty";
  name: string;
  sql: string;
  /** The objects whose rows of the matrix must notice, the likeliest first. */
  about: string[];
  /** For grants: what is given to whom, so that the likeliest rows come first. */
  gives?: { role: string; verb: string };
};

/**
 * Weakenings that change no answer, each with the reason. A policy for updates asks its question of the row as it was
 * (USING) and as it becomes (WITH CHECK): where the question does not look at the row, asking once is asking twice.
 */
export const equivalents: Record<string, string> = {
  'policy "staff change books" on books with check (true)': "asks for the caller's duty, as its USING does",
  'policy "staff set the status of any order" on orders with check (true)':
    "asks for the caller's duty, as its USING does",
};

/** Every policy, grant, constraint, trigger and guard of this database, weakened one at a time. */
export async function listMutants(query: Query): Promise<Mutant[]> {
  const lists = [
    policies,
    grants,
    functionGrants,
    constraints,
    triggers,
    steps,
    guards,
    policyDuties,
    functionDuties,
    rulesOfDuties,
  ];
  const mutants: Mutant[] = [];
  for (const list of lists) mutants.push(...(await list(query)));
  return mutants;
}

/** How cases name a table: without the schema public. */
const short = (table: string) => table.replace(/^public\./, "");

async function policies(query: Query): Promise<Mutant[]> {
  const rows = await query<{ name: string; table: string; asks: string | null; checks: string | null }>(
    `select policyname as name, schemaname || '.' || tablename as table, qual as asks, with_check as checks
       from pg_policies where schemaname in ('public', 'storage') order by 2, 1`,
  );
  return rows.flatMap(({ name, table, asks, checks }) => {
    const change = (how: string, sql: string): Mutant => ({
      kind: "policy",
      name: `policy "${name}" on ${short(table)} ${how}`,
      sql,
      about: [`${short(table)}: ${name}`, table],
    });
    return [
      change("dropped", `drop policy "${name}" on ${table}`),
      ...(asks && asks !== "true"
        ? [change("using (true)", `alter policy "${name}" on ${table} using (true)`)]
        : []),
      ...(checks
        ? [change("with check (true)", `alter policy "${name}" on ${table} with check (true)`)]
        : []),
    ];
  });
}

async function grants(query: Query): Promise<Mutant[]> {
  const whole = await query<{ table: string; role: string; verb: string }>(
    `select 'public.' || c.relname as table, r.role, v.verb
       from pg_class c
      cross join unnest(array['anon', 'authenticated', 'service_role']) as r (role)
      cross join unnest(array['select', 'insert', 'update', 'delete']) as v (verb)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
        and not has_table_privilege(r.role, c.oid, v.verb) order by 1, 2, 3`,
  );
  const columns = await query<{ table: string; role: string; verb: string; column: string }>(
    `select 'public.' || c.relname as table, r.role, v.verb, a.attname::text as column
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      cross join unnest(array['authenticated', 'service_role']) as r (role)
      cross join unnest(array['insert', 'update']) as v (verb)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not has_column_privilege(r.role, c.oid, a.attnum, v.verb) order by 1, 2, 3, 4`,
  );
  return [
    ...whole.map(
      ({ table, role, verb }): Mutant => ({
        kind: "grant",
        name: `${verb} on ${short(table)} granted to ${role}`,
        sql: `grant ${verb} on ${table} to ${role}`,
        about: [table],
        gives: { role, verb },
      }),
    ),
    ...columns.map(
      ({ table, role, verb, column }): Mutant => ({
        kind: "grant",
        name: `${verb} of ${short(table)}.${column} granted to ${role}`,
        sql: `grant ${verb} (${column}) on ${table} to ${role}`,
        about: [table],
        gives: { role, verb: `${verb} ${column}` },
      }),
    ),
  ];
}

async function functionGrants(query: Query): Promise<Mutant[]> {
  const rows = await query<{ name: string; signature: string; role: string }>(
    `select p.proname::text as name, p.oid::regprocedure::text as signature, r.role
       from pg_proc p cross join unnest(array['anon', 'authenticated', 'service_role']) as r (role)
      where p.pronamespace = 'public'::regnamespace and not has_function_privilege(r.role, p.oid, 'execute') order by 1, 3`,
  );
  return rows.map(({ name, signature, role }) => ({
    kind: "grant",
    name: `execute on ${name} granted to ${role}`,
    sql: `grant execute on function ${signature} to ${role}`,
    about: [`public.${name}`],
    gives: { role, verb: "execute" },
  }));
}

async function constraints(query: Query): Promise<Mutant[]> {
  const rows = await query<{ table: string; name: string }>(
    `select 'public.' || c.relname as table, k.conname::text as name
       from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.connamespace = 'public'::regnamespace and k.contype in ('c', 'u', 'f') order by 1, 2`,
  );
  return rows.map(({ table, name }) => ({
    kind: "constraint",
    name: `constraint ${short(table)}.${name} dropped`,
    sql: `alter table ${table} drop constraint ${name}`,
    about: [`${short(table)}.${name}`],
  }));
}

async function triggers(query: Query): Promise<Mutant[]> {
  const rows = await query<{ table: string; name: string }>(
    `select c.relnamespace::regnamespace || '.' || c.relname as table, t.tgname::text as name
       from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal order by 1, 2`,
  );
  const taken = await listSteps(query);
  return rows.map(({ table, name }) => ({
    kind: "trigger",
    name: `trigger ${short(table)}.${name} disabled`,
    sql: `alter table ${table} disable trigger ${name}`,
    about: [
      `${short(table)}.${name}`,
      ...taken
        .filter((step) => step.table === short(table) && step.trigger === name)
        .map((step) => `${step.table}.${step.name}`),
    ],
  }));
}

/** Takes one line out of a function whose lines are steps. */
async function steps(query: Query): Promise<Mutant[]> {
  const sources = await query<{ name: string; source: string }>(
    `select proname::text as name, pg_get_functiondef(oid) as source from pg_proc where pronamespace = 'private'::regnamespace`,
  );
  const taken = await listSteps(query);
  const lines = new Map(taken.map((step) => [`${step.function}:${step.line}`, step]));
  return [...lines.values()].map((step): Mutant => {
    const source = sources.find(({ name }) => name === step.function)?.source.split("\n") ?? [];
    const first = source.findIndex((text) => text.startsWith("AS $function$"));
    const [removed = ""] = source.splice(first + step.line - 1, 1);
    if (!removed.includes(step.name)) throw new Error(`${step.function}: line ${step.line} is "${removed}"`);
    return {
      kind: "step",
      name: `step ${step.table}.${step.name} left out: ${removed.trim()}`,
      sql: source.join("\n"),
      about: [`${step.table}.${step.name}`],
    };
  });
}

/** Which questions reach a function of the schema private. */
function namesToCheck(name: string): string[] {
  const others: Record<string, string[]> = {
    guard_second_step_setting: ["shop_settings.guard_second_step"],
    guard_notice_address: ["shop_settings.guard_notice_address"],
    require_admin_for_staff: ["public.anonymise_customer", "public.correct_person"],
    plan_merge: ["public.merge_people"],
    weigh_import_rows: ["public.summarise_book_import"],
    queue_role_writes: ["user_roles.queue_role_writes", "public.user_roles"],
    require_book_import: [
      "public.preview_book_import",
      "public.summarise_book_import",
      "public.list_rows_left_out",
    ],
  };
  return others[name] ?? [`public.${name}`];
}

/** Removes the check of its caller from a function that runs as its owner. */
async function guards(query: Query): Promise<Mutant[]> {
  const rows = await query<{ name: string; source: string }>(
    `select proname::text as name, pg_get_functiondef(oid) as source from pg_proc
      where pronamespace = 'private'::regnamespace and prosrc ~ 'perform private\\.require_(staff|book_import|duty|a_duty)\\(' order by 1`,
  );
  return rows.map(({ name, source }) => ({
    kind: "guard",
    name: `function ${name} does not check its caller`,
    sql: source.replace(/perform private\.require_(staff|book_import|duty|a_duty)\([^)]*\);/g, ""),
    about: namesToCheck(name),
  }));
}

/** The source with another duty in place of each that it names, one at a time. */
function withAnotherDuty(source: string): { from: string; to: string; sql: string }[] {
  const named = [...source.matchAll(/(?<=(?:has|require)_duty\([^)]*)'([a-z]+)'/g)];
  const to = DUTIES.find((duty) => !source.includes(`'${duty}'`)) ?? "";
  return named.map(({ index, 1: from = "" }) => ({
    from,
    to,
    sql: `${source.slice(0, index)}'${to}'${source.slice(index + from.length + 2)}`,
  }));
}

async function policyDuties(query: Query): Promise<Mutant[]> {
  const rows = await query<{ name: string; table: string; asks: string | null; checks: string | null }>(
    `select policyname as name, schemaname || '.' || tablename as table, qual as asks, with_check as checks
       from pg_policies where schemaname in ('public', 'storage') order by 2, 1`,
  );
  return rows.flatMap(({ name, table, asks, checks }) =>
    (
      [
        ["using", asks],
        ["with check", checks],
      ] as const
    ).flatMap(([clause, source]) =>
      withAnotherDuty(source ?? "").map(
        ({ from, to, sql }): Mutant => ({
          kind: "duty",
          name: `policy "${name}" on ${short(table)} asks ${clause} for ${to} instead of ${from}`,
          sql: `alter policy "${name}" on ${table} ${clause} (${sql})`,
          about: [`${short(table)}: ${name}`, table],
        }),
      ),
    ),
  );
}

async function functionDuties(query: Query): Promise<Mutant[]> {
  const rows = await query<{ name: string; source: string }>(
    `select proname::text as name, pg_get_functiondef(oid) as source from pg_proc
      where pronamespace in ('public'::regnamespace, 'private'::regnamespace) and prosrc ~ '_duty\\(''' order by 1`,
  );
  return rows.flatMap(({ name, source }) =>
    withAnotherDuty(source).map(
      ({ from, to, sql }): Mutant => ({
        kind: "duty",
        name: `function ${name} asks for ${to} instead of ${from}`,
        sql,
        about: namesToCheck(name),
      }),
    ),
  );
}

/** Weakens the rule itself. */
async function rulesOfDuties(query: Query): Promise<Mutant[]> {
  const rows = await query<{ name: string; source: string }>(
    `select proname::text as name, pg_get_functiondef(oid) as source from pg_proc
      where pronamespace = 'private'::regnamespace and proname in ('has_duty', 'has_a_duty', 'is_admin', 'require_duty')`,
  );
  const source = (name: string) => rows.find((row) => row.name === name)?.source ?? "";
  const change = (name: string, how: string, from: string, to: string): Mutant => {
    if (!source(name).includes(from)) throw new Error(`${name} has no ${from}`);
    const about = [
      "public.admin_list_orders",
      "public.admin_list_reviews",
      "public.todays_work",
      "public.user_roles",
    ];
    return { kind: "duty", name: `${name} ${how}`, sql: source(name).replaceAll(from, to), about };
  };
  return [
    change("has_duty", "gives moderators every duty", " and _duty = 'reviews'", ""),
    change("has_duty", "takes any duty for each", " and duty = _duty", ""),
    change("has_duty", "forgets admins", "role = 'admin' or ", ""),
    change(
      "has_duty",
      "takes another person's duty",
      "public.staff_duties where user_id = auth.uid() and",
      "public.staff_duties where",
    ),
    change(
      "has_a_duty",
      "takes another person's duty",
      "public.staff_duties where user_id = auth.uid()",
      "public.staff_duties",
    ),
    change("has_a_duty", "forgets moderators", "role in ('admin', 'moderator')", "role = 'admin'"),
    change("is_admin", "takes moderators for admins", "role = 'admin'", "role in ('admin', 'moderator')"),
    change("require_duty", "requires nothing", "not private.has_duty(duty)", "false"),
  ];
}
