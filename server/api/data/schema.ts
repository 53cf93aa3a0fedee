import type { Sql } from "../../database/sql.ts";

/** What requests to the data API may name: tables and functions of the schema public, read once from the database. */
export type Schema = { tables: Map<string, Table>; functions: Map<string, Callable[]> };

export type Column = { name: string; type: string };

export type Table = {
  name: string;
  columns: Map<string, Column>;
  /** In the order of the key; empty for a view. */
  key: string[];
  relations: Relation[];
  /** Roles that may lock rows: those that may update at least one column. */
  lockableBy: Set<string>;
};

/** A table's relationship through a foreign key of one column, in either direction. */
export type Relation = {
  constraint: string;
  to: string;
  ownColumn: string;
  otherColumn: string;
  isList: boolean;
};

/** A function's argument; in a body, one of a composite type is an object. */
export type Argument = { name: string; type: string; isComposite: boolean; isRequired: boolean };

export type Callable = {
  name: string;
  args: Argument[];
  returnsSet: boolean;
  returns: "nothing" | "scalar" | "rows";
  /** Of the rows that it returns; empty for a scalar. */
  columns: Map<string, Column>;
  /** Of the table whose rows it returns; empty for others. */
  relations: Relation[];
  isReadOnly: boolean;
  /** Its own `set statement_timeout`, which a hosted project applies to the whole request. */
  timeout: string | null;
};

type TableRow = {
  name: string;
  columns: Column[];
  key: string[] | null;
  lockable_by: string[];
};
type KeyRow = {
  constraint: string;
  from_table: string;
  from_column: string;
  to_table: string;
  to_column: string;
  is_unique: boolean;
};
type FunctionRow = {
  name: string;
  arg_names: string[] | null;
  arg_types: string[];
  composite_types: string[];
  arg_modes: string[] | null;
  defaults: number;
  returns_set: boolean;
  result_kind: string;
  result_table: string | null;
  volatility: string;
  config: string[] | null;
};

const tablesSql = `
  select c.relname as name,
         (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
         (select array_agg(a.attname::text order by k.position)
            from pg_index i, unnest(i.indkey) with ordinality as k (attnum, position), pg_attribute a
           where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid and a.attnum = k.attnum) as key,
         array(select role from unnest(array['anon', 'authenticated', 'service_role']) as role
                where has_any_column_privilege(role, c.oid, 'UPDATE')) as lockable_by
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')`;

const keysSql = `
  select f.conname as constraint, one.relname as from_table,
         a.attname as from_column, other.relname as to_table, b.attname as to_column,
         exists (select from pg_index i where i.indrelid = f.conrelid and i.indisunique and i.indpred is null
                    and i.indkey::text = f.conkey[1]::text) as is_unique
    from pg_constraint f
    join pg_class one on one.oid = f.conrelid and one.relnamespace = 'public'::regnamespace
    join pg_class other on other.oid = f.confrelid and other.relnamespace = 'public'::regnamespace
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = f.conkey[1]
    join pg_attribute b on b.attrelid = f.confrelid and b.attnum = f.confkey[1]
   where f.contype = 'f' and cardinality(f.conkey) = 1`;

const functionsSql = `
  select p.proname as name, p.proargnames as arg_names,
         array(select format_type(t.oid, null) from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as t (oid, position)
                order by position) as arg_types,
         array(select format_type(t.oid, null) from pg_type t where t.oid = any (p.proargtypes) and t.typtype = 'c') as composite_types,
         p.proargmodes::text[] as arg_modes, p.pronargdefaults as defaults, p.proretset as returns_set,
         case when r.typname = 'void' then 'void' when r.typtype = 'c' or r.typname = 'record' then 'rows' else 'scalar' end as result_kind,
         (select c.relname from pg_class c where c.oid = r.typrelid and c.relnamespace = 'public'::regnamespace) as result_table,
         p.provolatile::text as volatility, p.proconfig as config
    from pg_proc p join pg_type r on r.oid = p.prorettype
   where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and r.typname <> 'trigger'`;

const byName = (columns: Column[]) => new Map(columns.map((column) => [column.name, column]));

export async function readSchema(sql: Sql): Promise<Schema> {
  const tables = new Map<string, Table>();
  for (const { name, columns, key, lockable_by } of await sql.query<TableRow>(tablesSql))
    tables.set(name, {
      name,
      columns: byName(columns ?? []),
      key: key ?? [],
      relations: [],
      lockableBy: new Set(lockable_by),
    });
  for (const key of await sql.query<KeyRow>(keysSql)) {
    const { constraint, from_table: from, from_column: own, to_table: to, to_column: other } = key;
    tables.get(from)?.relations.push({ constraint, to, ownColumn: own, otherColumn: other, isList: false });
    tables
      .get(to)
      ?.relations.push({ constraint, to: from, ownColumn: other, otherColumn: own, isList: !key.is_unique });
  }
  const functions = new Map<string, Callable[]>();
  for (const row of await sql.query<FunctionRow>(functionsSql)) {
    const callable = toCallable(row, tables);
    functions.set(row.name, [...(functions.get(row.name) ?? []), callable]);
  }
  return { tables, functions };
}

function toCallable(row: FunctionRow, tables: Map<string, Table>): Callable {
  const all = row.arg_types.map((type, position) => ({
    name: row.arg_names?.[position] ?? "",
    type,
    mode: row.arg_modes?.[position] ?? "i",
  }));
  const ins = all.filter(({ mode }) => mode === "i" || mode === "b" || mode === "v");
  const outs = all.filter(({ mode }) => mode === "t" || mode === "o" || mode === "b");
  const table = row.result_table === null ? undefined : tables.get(row.result_table);
  const isRows = row.result_kind === "rows" || (row.returns_set && outs.length > 0);
  return {
    name: row.name,
    args: ins.map(({ name, type }, position) => ({
      name,
      type,
      isComposite: row.composite_types.includes(type),
      isRequired: position < ins.length - row.defaults,
    })),
    returnsSet: row.returns_set,
    returns: row.result_kind === "void" ? "nothing" : isRows ? "rows" : "scalar",
    columns: isRows ? (table?.columns ?? byName(outs)) : new Map(),
    relations: table?.relations ?? [],
    isReadOnly: row.volatility !== "v",
    timeout: row.config?.find((each) => each.startsWith("statement_timeout="))?.split("=")[1] ?? null,
  };
}
