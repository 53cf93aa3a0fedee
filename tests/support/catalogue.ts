import type { Query } from "./database.ts";

/** Everything that a database's objects are, by kind and name: "column public.books.title" → "text not null". */
export type Catalogue = ReadonlyMap<string, string>;

/** Rights as sorted text, with those that an object has by default. */
const rights = (acl: string, kind: string, owner: string) =>
  `(select string_agg(r.right, ' ' order by r.right) from (
      select format('%s=%s%s', case grantee when 0 then 'public' else grantee::regrole::text end, privilege_type,
                    case when is_grantable then '*' else '' end) as right
        from aclexplode(coalesce(${acl}, acldefault('${kind}', ${owner})))) r)`;

/** Schemas whose objects count: all but PostgreSQL's own and the migrations' history. */
const ours = (schema: string) =>
  `${schema}::regnamespace::text !~ '^(pg_|information_schema$|supabase_migrations$)'`;

const notOfExtension = (catalog: string, oid: string) =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

/** Columns are named, not counted: a column that a migration adds comes last, in supabase/schema it has its place. */
const objects = `
  select 'schema ' || nspname, ${rights("nspacl", "n", "nspowner")} from pg_namespace where ${ours("oid")}
  union all
  select 'extension ' || extname, extnamespace::regnamespace::text from pg_extension
  union all
  select format('relation %s', c.oid::regclass),
         format('%s %s security %s %s %s rights %s %s', c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity,
                c.reloptions, ${rights("c.relacl", "r", "c.relowner")},
                case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end)
    from pg_class c where ${ours("c.relnamespace")} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'c')
     and ${notOfExtension("pg_class", "c.oid")}
  union all
  select format('sequence %s', c.oid::regclass),
         format('%s rights %s', to_jsonb(s) - 'seqrelid', ${rights("c.relacl", "s", "c.relowner")})
    from pg_class c join pg_sequence s on s.seqrelid = c.oid where ${ours("c.relnamespace")}
  union all
  select format('column %s.%I', c.oid::regclass, a.attname),
         format('%s %s default %s identity %s generated %s collation %s storage %s statistics %s %s rights %s',
                format_type(a.atttypid, a.atttypmod), case when a.attnotnull then 'not null' else 'null' end,
                pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated, a.attcollation::regcollation, a.attstorage,
                a.attstattarget, a.attoptions, (select string_agg(x::text, ' ' order by x::text) from unnest(a.attacl) x))
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where ${ours("c.relnamespace")} and c.relkind in ('r', 'p', 'v', 'm', 'f', 'c') and ${notOfExtension("pg_class", "c.oid")}
  union all
  select format('constraint %I on %s', conname,
                case when conrelid <> 0 then conrelid::regclass::text else contypid::regtype::text end),
         pg_get_constraintdef(oid)
    from pg_constraint where ${ours("connamespace")}
  union all
  select format('index %s', indexrelid::regclass), format('%s valid %s', pg_get_indexdef(indexrelid), indisvalid)
    from pg_index join pg_class c on c.oid = indexrelid where ${ours("c.relnamespace")}
  union all
  select format('function %s', p.oid::regprocedure),
         format('%s rights %s', case when p.prokind in ('f', 'p') then pg_get_functiondef(p.oid) else p.prokind::text end,
                ${rights("p.proacl", "f", "p.proowner")})
    from pg_proc p where ${ours("p.pronamespace")} and ${notOfExtension("pg_proc", "p.oid")}
  union all
  select format('policy %I on %s', polname, polrelid::regclass),
         format('%s permissive %s to %s using %s check %s', polcmd, polpermissive,
                (select string_agg(case r when 0 then 'public' else r::regrole::text end, ' ' order by r::regrole::text)
                   from unnest(polroles) r),
                pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    from pg_policy
  union all
  select format('trigger %I on %s', tgname, tgrelid::regclass), format('%s enabled %s', pg_get_triggerdef(oid), tgenabled)
    from pg_trigger where not tgisinternal
  union all
  select format('type %s', t.oid::regtype),
         format('%s of %s not null %s default %s labels %s rights %s', t.typtype,
                case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) end, t.typnotnull, t.typdefault,
                (select string_agg(quote_literal(enumlabel), ' ' order by enumsortorder) from pg_enum where enumtypid = t.oid),
                ${rights("t.typacl", "T", "t.typowner")})
    from pg_type t where ${ours("t.typnamespace")} and t.typtype in ('e', 'd', 'r', 'c')
     and ${notOfExtension("pg_type", "t.oid")}
  union all
  select format('default rights of %s in %s on %s', defaclrole::regrole,
                case when defaclnamespace = 0 then 'all schemas' else defaclnamespace::regnamespace::text end, defaclobjtype),
         (select string_agg(x::text, ' ' order by x::text) from unnest(defaclacl) x)
    from pg_default_acl
  union all
  select format('%s %s', kind, name), pg_get_statisticsobjdef(objid)
    from (select 'pg_statistic_ext'::regclass as class, oid from pg_statistic_ext
          union all select 'pg_publication'::regclass, oid from pg_publication
          union all select 'pg_event_trigger'::regclass, oid from pg_event_trigger
          union all select 'pg_operator'::regclass, oid from pg_operator where ${ours("oprnamespace")}
          union all select 'pg_ts_config'::regclass, oid from pg_ts_config where ${ours("cfgnamespace")}
          union all select 'pg_ts_dict'::regclass, oid from pg_ts_dict where ${ours("dictnamespace")}
          union all select 'pg_collation'::regclass, oid from pg_collation where ${ours("collnamespace")}) o (class, objid)
    cross join lateral pg_identify_object(class, objid, 0) as i (kind, schema, short, name)
  union all
  select format('comment on %s %s', i.type, i.identity), description
    from pg_description cross join lateral pg_identify_object(classoid, objoid, objsubid) as i
   where ${ours("i.schema")} and not exists (
     select from pg_depend d where d.classid = classoid and d.objid = objoid and d.deptype = 'e')`;

/** The rows that migrations bring, without what differs at each run: times, random ids and numbers that are counted on. */
const filledTables = `
  select c.oid::regclass::text as name,
         array(select a.attname::text from pg_attribute a join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
                where a.attrelid = c.oid and a.attidentity = ''
                  and pg_get_expr(d.adbin, d.adrelid) ~ '(now|clock_timestamp|gen_random_uuid|nextval)\\('
               union all
               select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as volatile
    from pg_class c where c.relkind = 'r' and ${ours("c.relnamespace")}`;

/** Reads what a database contains: objects with their rights, and the rows that migrations bring. */
export async function readCatalogue(query: Query): Promise<Catalogue> {
  const catalogue = new Map<string, string>();
  for (const { name, definition } of await query<{ name: string; definition: string | null }>(
    `select name, definition from (${objects}) as all_objects (name, definition)`,
  ))
    catalogue.set(name, definition ?? "");
  for (const { name, volatile } of await query<{ name: string; volatile: string[] }>(filledTables))
    for (const { row } of await query<{ row: string }>(
      `select (to_jsonb(t) - $1::text[])::text as row from ${name} t`,
      [volatile],
    ))
      catalogue.set(`row of ${name}: ${row}`, "");
  return catalogue;
}

/** Around the first character in which two texts differ. */
function excerpts(one: string, other: string): [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 40);
  return [one.slice(from, at + 80), other.slice(from, at + 80)];
}

/** One line for each thing that is in only one of two databases, or differs. */
export function compareCatalogues(migrations: Catalogue, schema: Catalogue): string[] {
  const differences: string[] = [];
  for (const [name, definition] of migrations) {
    const other = schema.get(name);
    if (other === undefined) differences.push(`only in supabase/migrations: ${name}`);
    else if (other !== definition) {
      const [migrated, stated] = excerpts(definition, other);
      differences.push(`${name}: "${migrated}" in supabase/migrations, "${stated}" in supabase/schema`);
    }
  }
  for (const name of schema.keys())
    if (!migrations.has(name)) differences.push(`only in supabase/schema: ${name}`);
  return differences.sort();
}
