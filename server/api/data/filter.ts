import { tooMuch, unsupported } from "../../lib/refusal.ts";
import { bounds, type Condition, comparisons } from "./query.ts";
import { Reader } from "./reader.ts";

/**
 * Operators that PostgREST has too: regular expressions and full text search can keep a database busy for minutes.
 */
const unsupportedOperators =
  /^(match|imatch|fts|plfts|phfts|wfts|cs|cd|ov|sl|sr|nxr|nxl|adj|isdistinct|all|any)$/;

const states = ["null", "true", "false", "unknown"] as const;

/** Reads `column=not.eq.value`; the value is the rest of the parameter, whatever it contains. */
export function readFilter(column: string, text: string): Condition {
  const reader = new Reader(text, column);
  const not = reader.take("not.");
  const operator = readOperator(reader);
  if (operator === "is") return readIs(reader, column, reader.rest, not);
  if (operator !== "in") return compare(column, operator, reader.rest, not);
  const condition = readIn(reader, column, not);
  reader.end();
  return condition;
}

/** Reads the value of `or=(…)` or `and=(…)`. */
export function readLogic(kind: "and" | "or", text: string, not: boolean): Condition {
  const reader = new Reader(text, kind);
  const condition = readTree(reader, kind, not, 1);
  reader.end();
  return condition;
}

function readTree(reader: Reader, kind: "and" | "or", not: boolean, depth: number): Condition {
  if (depth > bounds.conditionDepth)
    throw tooMuch(`Conditions can be nested ${bounds.conditionDepth} deep at most.`);
  reader.need("(");
  const conditions: Condition[] = [];
  do {
    reader.spaces();
    conditions.push(readBranch(reader, depth));
    reader.spaces();
    if (conditions.length > bounds.conditions) throw tooManyConditions();
  } while (reader.take(","));
  reader.need(")");
  return { kind, conditions, not };
}

function readBranch(reader: Reader, depth: number): Condition {
  for (const kind of ["and", "or"] as const) {
    if (reader.takeBefore(kind, "(")) return readTree(reader, kind, false, depth + 1);
    if (reader.takeBefore(`not.${kind}`, "(")) return readTree(reader, kind, true, depth + 1);
  }
  const column = reader.name();
  if (reader.take("->")) throw unsupported("Reading inside JSON");
  reader.need(".");
  const not = reader.take("not.");
  const operator = readOperator(reader);
  if (operator === "in") return readIn(reader, column, not);
  const value = reader.value();
  return operator === "is" ? readIs(reader, column, value, not) : compare(column, operator, value, not);
}

function readOperator(reader: Reader) {
  const operator = reader.name();
  if (unsupportedOperators.test(operator)) throw unsupported(`The operator "${operator}"`);
  if (reader.take("(")) throw unsupported(`The operator "${operator}" with a modifier or a language`);
  reader.need(".");
  const operators = [...comparisons, "is", "in"] as const;
  return operators.find((each) => each === operator) ?? reader.fail();
}

function compare(
  column: string,
  operator: (typeof comparisons)[number],
  value: string,
  not: boolean,
): Condition {
  if (operator === "like" || operator === "ilike") {
    if (value.length > bounds.patternCharacters)
      throw tooMuch(`A pattern can have ${bounds.patternCharacters} characters at most.`);
    if (wildcards(value) > bounds.patternWildcards)
      throw tooMuch(`A pattern can have ${bounds.patternWildcards} wildcards at most.`);
    return { kind: "compare", column, operator, value: value.replaceAll("*", "%"), not };
  }
  return { kind: "compare", column, operator, value, not };
}

function readIs(reader: Reader, column: string, text: string, not: boolean): Condition {
  const word = text.toLowerCase();
  if (word === "not_null") return { kind: "is", column, value: "null", not: !not };
  const value = states.find((each) => each === word) ?? reader.fail();
  return { kind: "is", column, value, not };
}

function readIn(reader: Reader, column: string, not: boolean): Condition {
  reader.need("(");
  const values: string[] = [];
  if (!reader.take(")")) {
    do {
      values.push(reader.value());
      if (values.length > bounds.values) throw tooMuch(`A list can have ${bounds.values} values at most.`);
    } while (reader.take(","));
    reader.need(")");
  }
  return { kind: "in", column, values, not };
}

const wildcards = (pattern: string) => pattern.replace(/\\./g, "").match(/[%*_]/g)?.length ?? 0;

const tooManyConditions = () => tooMuch(`A request can have ${bounds.conditions} conditions at most.`);

/** The comparisons in a list of conditions, including those inside and/or. */
const comparisonsOf = (conditions: Condition[]): Condition[] =>
  conditions.flatMap((each) => ("conditions" in each ? comparisonsOf(each.conditions) : [each]));

/** @throws Refusal 400 when a request's conditions could keep the database busy */
export function checkConditions(conditions: Condition[]): void {
  const all = comparisonsOf(conditions);
  if (all.length > bounds.conditions) throw tooManyConditions();
  const patterns = all.filter((each) => each.kind === "compare" && /like$/.test(each.operator));
  if (patterns.length > bounds.patterns)
    throw tooMuch(`A request can have ${bounds.patterns} patterns at most.`);
}
