import { Refusal } from "../../lib/refusal.ts";
import { bounds, type Condition, type OrderTerm } from "./query.ts";
import type { Column } from "./schema.ts";

/** A name of the schema cache, or an alias that has been checked, in SQL. */
export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A statement's text and its values. Every value is sent as text and cast in the database. */
export type Statement = { text: string; values: (string | null)[] };

export class Values {
  readonly list: (string | null)[] = [];

  /** The place of a value, cast to a type of the schema cache. */
  add(value: string | null, type: string): string {
    this.list.push(value);
    const place = `$${this.list.length}::text`;
    return type === "text" ? place : `(${place})::${type}`;
  }
}

/** A column by its name; system columns are not among them. */
export function findColumn(columns: Map<string, Column>, name: string, of: string): Column {
  const column = columns.get(name);
  if (!column) throw new Refusal(400, "42703", `column ${of}.${name} does not exist`);
  return column;
}

/** Rows as the text of the response; `json -> 0` leaves their own text as it is. */
export const rowsBody = (isOne: boolean) =>
  isOne ? "(json_agg(r) -> 0)::text" : "coalesce(json_agg(r), '[]')::text";

/**
 * The one row that every statement returns. A body larger than any response of the shop stays in the database, and
 * only its size is returned.
 */
export function resultSql(parts: {
  body: string;
  from: string;
  rows?: string;
  total?: string;
  before?: string;
}): string {
  const { body, from, rows = "count(*)", total = "null", before } = parts;
  const result = `a as (select ${body} as body, ${rows} as rows, ${total}::text as total from ${from})`;
  return `with ${before ? `${before}, ` : ""}${result} select case when octet_length(body) <= ${bounds.responseBytes} then body end, rows, total, octet_length(body) from a`;
}

type Scope = { columns: Map<string, Column>; name: string; alias: string };

const operators = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
};

const isText = (type: string) => /^(text|character|name|citext)/.test(type);

/** Conditions joined by `and`; `true` where there are none. */
export function conditionsSql(conditions: Condition[], scope: Scope, values: Values): string {
  if (conditions.length === 0) return "true";
  return conditions.map((each) => conditionSql(each, scope, values)).join(" and ");
}

function conditionSql(condition: Condition, scope: Scope, values: Values): string {
  const not = condition.not ? "not " : "";
  if (condition.kind === "and" || condition.kind === "or") {
    const parts = condition.conditions.map((each) => conditionSql(each, scope, values));
    return `${not}(${parts.join(` ${condition.kind} `)})`;
  }
  const column = findColumn(scope.columns, condition.column, scope.name);
  const name = `${scope.alias}.${quote(column.name)}`;
  if (condition.kind === "is") {
    if (condition.value !== "null" && column.type !== "boolean")
      throw new Refusal(400, "42804", `column ${scope.name}.${column.name} is not true or false`);
    return `${not}(${name} is ${condition.value})`;
  }
  if (condition.kind === "in")
    return `${not}(${name} = any (${values.add(toArray(condition.values), `${column.type}[]`)}))`;
  if (/like$/.test(condition.operator) && !isText(column.type))
    throw new Refusal(400, "42883", `column ${scope.name}.${column.name} holds no text`);
  return `${not}(${name} ${operators[condition.operator]} ${values.add(condition.value, column.type)})`;
}

/** Values as the text of a PostgreSQL array. */
export function toArray(values: string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

export function orderSql(terms: readonly OrderTerm[], scope: Scope): string {
  if (terms.length === 0) return "";
  const parts = terms.map(({ column, descending, nulls }) => {
    const { name } = findColumn(scope.columns, column, scope.name);
    return `${scope.alias}.${quote(name)}${descending ? " desc" : ""}${nulls ? ` nulls ${nulls}` : ""}`;
  });
  return ` order by ${parts.join(", ")}`;
}

export function pageSql(limit: number | null, offset: number): string {
  const rows = Math.min(limit ?? bounds.rows, bounds.rows);
  return ` limit ${rows}${offset > 0 ? ` offset ${offset}` : ""}`;
}
