import { Refusal } from "../../lib/refusal.ts";
import type { DataRequest, SelectItem } from "./query.ts";
import type { Relation, Schema, Table } from "./schema.ts";
import {
  conditionsSql,
  findColumn,
  orderSql,
  pageSql,
  quote,
  resultSql,
  rowsBody,
  type Statement,
  Values,
} from "./sql-text.ts";

/** Where columns are selected from: a table, or the rows of a function. */
type Source = Pick<Table, "name" | "columns" | "relations"> & { isCall: boolean };

export function findTable(schema: Schema, name: string): Table {
  const table = schema.tables.get(name);
  if (!table)
    throw new Refusal(
      404,
      "PGRST205",
      `Could not find the table 'public.${name.slice(0, 63)}' in the schema cache`,
    );
  return table;
}

/** One statement that returns the rows as JSON, their number and, if requested, the total. */
export function readSql(request: DataRequest, schema: Schema): Statement {
  const table = findTable(schema, request.target.name);
  const source = { ...table, isCall: false };
  return rowsSql(request, schema, source, `public.${quote(table.name)}`, new Values());
}

/**
 * The same for anything that can follow FROM. A function that is also counted is called once, since it may change
 * rows.
 */
export function rowsSql(
  request: DataRequest,
  schema: Schema,
  source: Source,
  origin: string,
  values: Values,
): Statement {
  const isCountedCall = request.prefer.count && source.isCall;
  const from = isCountedCall ? "f" : origin;
  const before = isCountedCall ? { before: `f as materialized (select * from ${origin})` } : {};
  const scope = { columns: source.columns, name: source.name, alias: "t0" };
  const { columns, joins } = selectSql(request.select, schema, source, 0, [source.name]);
  const where = ` where ${conditionsSql(request.filter, scope, values)}`;
  const rows =
    request.method === "HEAD"
      ? `select 1 from ${from} as t0${where}${pageSql(request.limit, request.offset)}`
      : `select ${columns} from ${from} as t0${joins}${where}${orderSql(request.order, scope)}${pageSql(request.limit, request.offset)}`;
  const total = request.prefer.count ? `(select count(*) from ${from} as t0${where})` : "null";
  const body = request.method === "HEAD" ? "''" : rowsBody(request.single);
  return { text: resultSql({ body, total, from: `(${rows}) as r`, ...before }), values: values.list };
}

type Level = { columns: string; joins: string };

/** The columns of a SELECT, and a lateral join for each embedded table. */
export function selectSql(
  items: readonly SelectItem[],
  schema: Schema,
  source: Source,
  level: number,
  path: string[],
): Level {
  const alias = `t${level}`;
  const columns: string[] = [];
  let joins = "";
  for (const item of items) {
    if (item.kind === "all") {
      for (const name of source.columns.keys()) columns.push(`${alias}.${quote(name)}`);
    } else if (item.kind === "column") {
      const { name } = findColumn(source.columns, item.name, source.name);
      columns.push(`${alias}.${quote(name)}${item.alias ? ` as ${quote(item.alias)}` : ""}`);
    } else {
      const embedAlias = `e${level}_${columns.length}`;
      const relation = findRelation(source, item, path);
      joins += ` left join lateral (${embeddedSql(item, relation, schema, level + 1, path)}) as ${embedAlias} on true`;
      columns.push(`${embedAlias}.j as ${quote(item.alias ?? item.name)}`);
    }
  }
  return { columns: columns.join(", "), joins };
}

type Embed = Extract<SelectItem, { kind: "embed" }>;

function embeddedSql(item: Embed, relation: Relation, schema: Schema, level: number, path: string[]): string {
  const table = findTable(schema, relation.to);
  const source = { ...table, isCall: false };
  const { columns, joins } = selectSql(item.select, schema, source, level, [...path, table.name]);
  const own = `t${level}.${quote(relation.otherColumn)} = t${level - 1}.${quote(relation.ownColumn)}`;
  const rows = `select ${columns} from public.${quote(table.name)} as t${level}${joins} where ${own}${pageSql(null, 0)}`;
  return relation.isList
    ? `select coalesce(json_agg(r), '[]') as j from (${rows}) as r`
    : `select row_to_json(r) as j from (${rows}) as r`;
}

/**
 * The only relationship between two tables, by the other table's name or the constraint's. Never back to a table
 * already on the path.
 */
function findRelation(source: Source, { name, hint }: Embed, path: string[]): Relation {
  const found = source.relations.filter(
    (each) => each.to === name && (hint === null || each.constraint === hint || each.ownColumn === hint),
  );
  const [relation, another] = found;
  if (!relation)
    throw new Refusal(
      400,
      "PGRST200",
      `Could not find a relationship between '${source.name}' and '${name.slice(0, 63)}' in the schema cache`,
    );
  if (another)
    throw new Refusal(
      300,
      "PGRST201",
      `Could not embed because more than one relationship was found for '${source.name}' and '${name}'`,
    );
  if (path.includes(relation.to))
    throw new Refusal(400, "PGRST100", `'${relation.to}' cannot be embedded in itself.`);
  return relation;
}
