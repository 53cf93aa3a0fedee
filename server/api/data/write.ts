import { parseJson } from "../../lib/json.ts";
import { Refusal, unsupported } from "../../lib/refusal.ts";
import type { DataRequest, SelectItem } from "./query.ts";
import { findTable, selectSql } from "./read.ts";
import type { Column, Schema, Table } from "./schema.ts";
import { conditionsSql, quote, resultSql, rowsBody, type Statement, Values } from "./sql-text.ts";

/** One statement that writes rows and returns their number and, if requested, the rows. */
export function writeSql(request: DataRequest, schema: Schema, role: string): Statement {
  const table = findTable(schema, request.target.name);
  if (request.order.length > 0 || request.limit !== null || request.offset > 0)
    throw unsupported("Ordering or limiting a change");
  const values = new Values();
  const written =
    request.method === "POST" ? insertSql(request, table, values) : changeSql(request, table, values, role);
  const returning = request.prefer.representation ? returningSql(request.select, schema, table) : "1";
  const body = request.prefer.representation ? rowsBody(request.single) : "''";
  // As on a hosted project, writing nothing is not an error.
  const source = written === null ? "select where false" : `${written} returning ${returning}`;
  return { text: resultSql({ body, from: "r", before: `r as (${source})` }), values: values.list };
}

function returningSql(items: readonly SelectItem[], schema: Schema, table: Table): string {
  if (items.some(({ kind }) => kind === "embed")) throw unsupported("Embedding in the answer to a change");
  return selectSql(items, schema, { ...table, isCall: false }, 0, []).columns;
}

function insertSql(request: DataRequest, table: Table, values: Values): string | null {
  const rows = readRows(request.body);
  const first = rows[0] ?? {};
  const names = request.columns ?? Object.keys(first);
  if (request.columns === null && rows.some((row) => !sameKeys(row, first)))
    throw new Refusal(400, "PGRST102", "All object keys must match");
  if (rows.length === 0) return null;
  const target = `insert into public.${quote(table.name)} as t0`;
  if (names.length === 0) {
    if (rows.length > 1) throw unsupported("Inserting several rows without a column");
    return `${target} default values`;
  }
  const columns = names.map((name) => writtenColumn(table, name));
  const list = columns.map(({ name }) => quote(name)).join(", ");
  return `${target} (${list}) select ${list} from json_to_recordset(${values.add(JSON.stringify(rows), "json")}) as b (${recordSql(columns)})`;
}

const sameKeys = (row: object, other: object) =>
  Object.keys(row).sort().join("\0") === Object.keys(other).sort().join("\0");

const recordSql = (columns: Column[]) => columns.map(({ name, type }) => `${quote(name)} ${type}`).join(", ");

/*
 * Rows are locked in the order of their key before any of them changes, so that two changes of many rows wait for
 * each other instead of ending in a deadlock. A deletion by a role that may not update, and so not lock, is repeated
 * when it meets one.
 */
function changeSql(request: DataRequest, table: Table, values: Values, role: string): string | null {
  if (request.filter.length === 0)
    throw new Refusal(
      400,
      "21000",
      `${request.method === "PATCH" ? "UPDATE" : "DELETE"} requires a WHERE clause`,
    );
  const name = `public.${quote(table.name)}`;
  const where = conditionsSql(
    request.filter,
    { columns: table.columns, name: table.name, alias: "t0" },
    values,
  );
  const isOneRow = table.key.every((key) =>
    request.filter.some(
      (each) => each.kind === "compare" && each.operator === "eq" && !each.not && each.column === key,
    ),
  );
  const isLocked = table.key.length > 0 && !isOneRow && table.lockableBy.has(role);
  const key = table.key.map((each) => `t0.${quote(each)}`);
  const lock = request.method === "PATCH" ? "for no key update" : "for update";
  const locked = `(select ${key.join(", ")} from ${name} as t0 where ${where} order by ${key.join(", ")} ${lock})`;
  const which = isLocked ? `(${key.join(", ")}) in ${locked}` : where;
  if (request.method === "DELETE") return `delete from ${name} as t0 where ${which}`;
  const row = readObject(request.body);
  const columns = Object.keys(row)
    .filter((each) => request.columns === null || request.columns.includes(each))
    .map((each) => writtenColumn(table, each));
  if (columns.length === 0) return null;
  const set = columns.map((column) => `${quote(column.name)} = b.${quote(column.name)}`).join(", ");
  const body = `json_to_record(${values.add(JSON.stringify(row), "json")}) as b (${recordSql(columns)})`;
  return `update ${name} as t0 set ${set} from ${body} where ${which}`;
}

function writtenColumn(table: Table, name: string): Column {
  const column = table.columns.get(name);
  if (!column)
    throw new Refusal(
      400,
      "PGRST204",
      `Could not find the '${name.slice(0, 63)}' column of '${table.name}' in the schema cache`,
    );
  return column;
}

type Row = Record<string, unknown>;

const isObject = (value: unknown): value is Row =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function parseBody(text: string | null): unknown {
  try {
    return parseJson(text ?? "");
  } catch {
    throw new Refusal(400, "PGRST102", "Empty or invalid json");
  }
}

function readRows(body: string | null): Row[] {
  const parsed = parseBody(body);
  const rows = Array.isArray(parsed) ? parsed : [parsed];
  if (!rows.every(isObject))
    throw new Refusal(400, "PGRST102", "The body must be an object or a list of objects.");
  return rows;
}

function readObject(body: string | null): Row {
  const parsed = parseBody(body);
  if (!isObject(parsed)) throw new Refusal(400, "PGRST102", "The body must be an object.");
  return parsed;
}
