import type { CallDatabase } from "../lib/call-database.ts";
import type { Sql } from "./sql.ts";

/** Calls functions with named arguments, as the database's owner. */
export const callAsOwner =
  (sql: Sql): CallDatabase =>
  async (name, values) => {
    const placeholders = Object.keys(values).map((argument, at) => `${argument} => $${at + 1}`);
    const [row] = await sql.query<{ result: unknown }>(
      `select public.${name}(${placeholders.join(", ")}) as result`,
      Object.values(values),
    );
    return row?.result;
  };
