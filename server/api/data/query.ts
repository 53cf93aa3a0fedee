/** One parsed request to the data API, before anything in it is checked against the database. */
export type DataRequest = {
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  /** A table, or a function under /rpc/. */
  target: { kind: "table" | "function"; name: string };
  select: readonly SelectItem[];
  filter: Condition[];
  order: readonly OrderTerm[];
  limit: number | null;
  offset: number;
  /** Columns that an insert is restricted to; null: those of its first row. */
  columns: string[] | null;
  /** Arguments of a function called with GET. */
  args: Map<string, string>;
  body: string | null;
  prefer: { count: boolean; representation: boolean };
  /** Whether a single object is requested instead of a list. */
  single: boolean;
};

export type SelectItem =
  | { kind: "all" }
  | { kind: "column"; name: string; alias: string | null }
  | { kind: "embed"; name: string; alias: string | null; hint: string | null; select: readonly SelectItem[] };

export const comparisons = ["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike"] as const;

export type Condition =
  | { kind: "compare"; column: string; operator: (typeof comparisons)[number]; value: string; not: boolean }
  | { kind: "is"; column: string; value: "null" | "true" | "false" | "unknown"; not: boolean }
  | { kind: "in"; column: string; values: string[]; not: boolean }
  | { kind: "and"; conditions: Condition[]; not: boolean }
  | { kind: "or"; conditions: Condition[]; not: boolean };

export type OrderTerm = { column: string; descending: boolean; nulls: "first" | "last" | null };

/*
 * Bounds well above what the shop asks for, and far below what could keep a database busy. The largest requests of
 * the shop: two levels of embedding, six conditions in one `or`, 100 ids, a page of 1,000 rows.
 */
export const bounds = {
  queryCharacters: 12_000,
  selected: 100,
  embeds: 4,
  depth: 2,
  conditions: 24,
  conditionDepth: 3,
  values: 500,
  patterns: 6,
  patternCharacters: 200,
  patternWildcards: 2,
  orderTerms: 5,
  rows: 1_000,
  offset: 1_000_000,
  responseBytes: 16 * 1024 * 1024,
} as const;
