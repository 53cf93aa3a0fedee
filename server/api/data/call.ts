import { Refusal, unsupported } from "../../lib/refusal.ts";
import { checkConditions } from "./filter.ts";
import type { DataRequest } from "./query.ts";
import { rowsSql } from "./read.ts";
import { readColumnFilter } from "./request.ts";
import type { Argument, Callable, Schema } from "./schema.ts";
import { quote, resultSql, type Statement, toArray, Values } from "./sql-text.ts";
import { parseBody } from "./write.ts";

/** One statement that calls a function, and the properties of the function that decide the format of the response. */
export function callSql(request: DataRequest, schema: Schema): Statement & { callable: Callable } {
  const args = readArgs(request);
  const callable = findCallable(request, schema, args);
  const values = new Values();
  const list = callable.args
    .filter(({ name }) => args.has(name))
    .map(
      (arg) =>
        `${quote(arg.name)} => ${argumentSql(arg, args.get(arg.name), request.method === "POST", values)}`,
    );
  const call = `public.${quote(callable.name)}(${list.join(", ")})`;
  if (callable.returns !== "rows") {
    refuseRowQuestions(request);
    return { text: scalarSql(callable, call), values: values.list, callable };
  }
  const source = { ...callable, isCall: true };
  const isOne = request.single || !callable.returnsSet;
  return { ...rowsSql({ ...request, single: isOne }, schema, source, call, values), callable };
}

function scalarSql(callable: Callable, call: string): string {
  const from = `${call} as f`;
  if (callable.returns === "nothing") return resultSql({ body: "''", rows: "count(f)", from });
  const body = callable.returnsSet ? "coalesce(json_agg(f), '[]')" : "json_agg(f) -> 0";
  return resultSql({ body: `coalesce((${body})::text, 'null')`, from });
}

function refuseRowQuestions({ filter, order, limit, offset }: DataRequest): void {
  if (filter.length > 0 || order.length > 0 || limit !== null || offset > 0)
    throw unsupported("Filtering what is not a list of rows");
}

/**
 * The arguments of a function's call by name.
 * @throws Refusal 400 if the body is not a JSON object
 */
export const readArgs = ({ method, args, body }: DataRequest): Map<string, unknown> =>
  method === "POST" ? bodyArgs(body) : new Map(args);

function bodyArgs(body: string | null): Map<string, unknown> {
  if (body === null || body === "") return new Map();
  const parsed = parseBody(body);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new Refusal(400, "PGRST102", "The body must be an object.");
  return new Map(Object.entries(parsed));
}

/** The function that takes these arguments. In a URL, any parameter that is not one of its arguments is a filter. */
function findCallable(request: DataRequest, schema: Schema, args: Map<string, unknown>): Callable {
  const { name } = request.target;
  const isAddressed = request.method !== "POST";
  const fits = (callable: Callable) =>
    callable.args.every((arg) => !arg.isRequired || args.has(arg.name)) &&
    (isAddressed || [...args.keys()].every((each) => callable.args.some((arg) => arg.name === each)));
  const callable = (schema.functions.get(name) ?? []).find(fits);
  if (!callable) {
    const names = [...args.keys()].join(", ").slice(0, 200);
    throw new Refusal(
      404,
      "PGRST202",
      `Could not find the function public.${name.slice(0, 63)}(${names}) in the schema cache`,
    );
  }
  for (const [each, value] of request.args)
    if (!callable.args.some((arg) => arg.name === each)) request.filter.push(readColumnFilter(each, value));
  checkConditions(request.filter);
  return callable;
}

/** As in PostgREST, attributes that the composite type does not have are ignored, and others are null. */
function argumentSql(
  { type, isComposite }: Argument,
  value: unknown,
  isJson: boolean,
  values: Values,
): string {
  if (isJson && isComposite)
    return `jsonb_populate_record(null::${type}, ${values.add(toText(value, "jsonb", isJson), "jsonb")})`;
  return values.add(toText(value, type, isJson), type);
}

/** Whether a list's elements are all of one kind, as in a PostgreSQL array. */
const hasOneKind = (values: unknown[], kind: "string" | "number") =>
  values.every((each) => typeof each === kind);

/**
 * A value as PostgreSQL's text input for a type. In a URL, JSON is already text. What can't be a list is refused here:
 * PostgreSQL would write it into its log, and it may be licence codes.
 */
function toText(value: unknown, type: string, isJson: boolean): string | null {
  if (value === null || value === undefined) return null;
  if (isJson && /^jsonb?$/.test(type)) return JSON.stringify(value);
  const isList = type.endsWith("[]");
  if (typeof value === "string" && (!isList || !isJson || /^\s*\{.*\}\s*$/s.test(value))) return value;
  if (isList && Array.isArray(value) && (hasOneKind(value, "string") || hasOneKind(value, "number")))
    return toArray(value.map(String));
  if (isList && isJson) throw new Refusal(400, "22P02", "malformed array literal");
  // JSON has no infinity, but a number too large for JavaScript becomes one.
  if (typeof value === "number" && !Number.isFinite(value))
    throw new Refusal(400, "22003", "A number is out of range.");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
