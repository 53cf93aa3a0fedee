import { callSql } from "#server/api/data/call.ts";
import { readSql } from "#server/api/data/read.ts";
import { readRequest } from "#server/api/data/request.ts";
import type { Callable, Column, Schema, Table } from "#server/api/data/schema.ts";
import { writeSql } from "#server/api/data/write.ts";
import { Refusal } from "#server/lib/refusal.ts";

/* The data API's way from an address to a statement, over a small schema and without a database. */

const columns = (types: Record<string, string>) =>
  new Map<string, Column>(Object.entries(types).map(([name, type]) => [name, { name, type }]));

const relation = {
  constraint: "lines_book",
  to: "books",
  ownColumn: "book_id",
  otherColumn: "id",
  isList: false,
};

const table = (name: string, types: Record<string, string>, others: Partial<Table> = {}): Table => ({
  name,
  columns: columns(types),
  key: ["id"],
  relations: [],
  lockableBy: new Set(["authenticated"]),
  ...others,
});

export const callable = (name: string, others: Partial<Callable> = {}): Callable => ({
  name,
  args: [],
  returnsSet: false,
  returns: "scalar",
  columns: new Map(),
  relations: [],
  isReadOnly: true,
  timeout: null,
  ...others,
});

export const schema: Schema = {
  tables: new Map([
    [
      "books",
      table(
        "books",
        { id: "uuid", title: "text", price: "numeric", hidden: "boolean" },
        {
          relations: [
            {
              ...relation,
              constraint: "lines_book",
              to: "lines",
              ownColumn: "id",
              otherColumn: "book_id",
              isList: true,
            },
          ],
        },
      ),
    ],
    [
      "lines",
      table(
        "lines",
        { id: "uuid", book_id: "uuid", gift_id: "uuid" },
        { relations: [relation, { ...relation, constraint: "lines_gift", ownColumn: "gift_id" }] },
      ),
    ],
  ]),
  functions: new Map([
    ["ping", [callable("ping")]],
    ["note", [callable("note", { returns: "nothing", isReadOnly: false })]],
    ["ids", [callable("ids", { returnsSet: true })]],
    [
      "find",
      [
        callable("find", {
          args: [
            { name: "_q", type: "numeric", isComposite: false, isRequired: true },
            { name: "_ids", type: "uuid[]", isComposite: false, isRequired: false },
            { name: "_facts", type: "jsonb", isComposite: false, isRequired: false },
          ],
        }),
      ],
    ],
    [
      "shelf",
      [
        callable("shelf", {
          returns: "rows",
          returnsSet: true,
          columns: columns({ id: "uuid", title: "text" }),
          args: [{ name: "_q", type: "text", isComposite: false, isRequired: false }],
        }),
      ],
    ],
    ["first", [callable("first", { returns: "rows", columns: columns({ id: "uuid", title: "text" }) })]],
  ]),
};

export type Parts = { method?: string; headers?: Record<string, string>; body?: string | null };

/** The statement that answers a customer. */
export function statementOf(address: string, { method = "GET", headers = {}, body = null }: Parts = {}) {
  const url = new URL(`http://shop.example/rest/v1/${address}`);
  const parsed = readRequest({ method, headers: new Headers(headers) }, url, body);
  if (parsed.target.kind === "function") return callSql(parsed, schema);
  return method === "GET" || method === "HEAD"
    ? readSql(parsed, schema)
    : writeSql(parsed, schema, "authenticated");
}

export function refusalOf(address: string, parts: Parts): Refusal {
  try {
    statementOf(address, parts);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`${address} was not refused`);
}

export const many = (count: number, text: string, between = ",") => Array(count).fill(text).join(between);
export const post = (body: unknown) => ({ method: "POST", body: JSON.stringify(body) });
export const patch = (body: unknown) => ({ method: "PATCH", body: JSON.stringify(body) });
