import type { Query } from "#tests/support/database.ts";

/**
 * A step of a row's life: one line of a trigger function before_…_changes or after_…_changes, named by the function that it
 * calls or the column that it sets.
 */
export type Step = { table: string; name: string; trigger: string; function: string; line: number };

const lifeFunction = "^(before|after)_\\w+_changes$";

/** SQL: the steps of every table whose triggers call such functions. */
const steps = `
  select replace(t.tgrelid::regclass::text, 'public.', '') as table, t.tgname::text as trigger, p.proname::text as function,
         l.line::int as line, s.step[1] as name
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
   cross join lateral regexp_split_to_table(p.prosrc, '\\n') with ordinality as l (text, line)
   cross join lateral regexp_match(l.text, '^\\s+(?:perform private\\.|\\w+ := private\\.|new\\.)(\\w+)') as s (step)
   where p.proname ~ '${lifeFunction}' and s.step is not null`;

export const listSteps = (query: Query) => query<Step>(`${steps} order by 1, 2, 4`);

/** SQL: "table.step", and "table.trigger" for every trigger that has no steps. */
export const stepsAndTriggers = `
  select distinct s.table || '.' || s.name as name from (${steps}) as s
  union all
  select replace(t.tgrelid::regclass::text, 'public.', '') || '.' || t.tgname from pg_trigger t join pg_proc p on p.oid = t.tgfoid
   where not t.tgisinternal and p.proname !~ '${lifeFunction}'`;

/** Disables "table.trigger", or takes "table.step" out of the table's functions. */
export const disable = (guard: string) => {
  const [table, name] = guard.split(".");
  return `do $do$ declare source text; begin
    if exists (select from pg_trigger where tgrelid = 'public.${table}'::regclass and tgname = '${name}') then
      alter table public.${table} disable trigger ${name};
      return;
    end if;
    for source in
      select distinct pg_get_functiondef(p.oid) from pg_proc p join pg_trigger t on t.tgfoid = p.oid
       where t.tgrelid = 'public.${table}'::regclass and p.proname ~ '${lifeFunction}' and p.prosrc ~ '(private\\.${name}\\(|new\\.${name} :=)'
    loop
      execute regexp_replace(source, '\\n[^\\n]*(private\\.${name}\\(|new\\.${name} :=)[^\\n]*', '', 'g');
    end loop;
    if source is null then raise exception 'There is no trigger or step ${guard}.'; end if;
  end $do$`;
};
