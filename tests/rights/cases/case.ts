import { wrongTallies } from "#tests/support/tallies.ts";
import type { Answer, CallerName } from "../people.ts";
import { disable } from "../steps.ts";

/**
 * What the matrix's plain questions cannot show: values, triggers, constraints, and the second lines of defence behind a
 * first one. Each names what would let it fail: "table.trigger", "table.step", "table.constraint", "table: policy" or
 * "public.function".
 */
export type Case = {
  proves: string;
  title: string;
  given?: string[];
  as: CallerName | "database";
  sql: string;
  afterwards?: string;
  /** With triggers and foreign keys disabled. */
  bare?: boolean;
  /** As in the matrix; with `afterwards`, followed by its value. */
  answer: Answer;
};

const inPublic = (sql: string) => sql.replace(/^(update|insert into) /, "$1 public.");

/** Rows that only a constraint refuses, with triggers disabled: the backstop behind the clear words of the triggers. */
export const refusedByConstraint = (rows: [name: string, code: string, sql: string][]): Case[] =>
  rows.map(([proves, answer, sql]) => ({
    proves,
    title: "the constraint refuses it even without triggers",
    as: "database",
    sql: inPublic(sql),
    bare: true,
    answer,
  }));

/** Rows that name something which is missing. */
export const refusedByForeignKey = (rows: [name: string, sql: string][]): Case[] =>
  rows.map(([proves, sql]) => ({
    proves,
    title: "a row cannot refer to a missing one",
    as: "database",
    sql: inPublic(sql),
    answer: "23503",
  }));

/** How often the admin's change of a row is in the log. */
export const audited = (table: string, row: string, action: string) =>
  `select count(*) from public.audit_log where table_name = '${table}' and ${row} and action = '${action}' and actor = :admin`;

/** How many of the figures that are kept are not what counting gives. */
export const exactFigures = `select count(*) from (${wrongTallies}) as wrong`;

export const justStamped = (table: string, row: string) =>
  `select updated_at > now() - interval '2 milliseconds' from public.${table} where id = ${row}`;

/** Whether this transaction holds the lock on stock. */
export const holdsStock = (mode: "Exclusive" | "Share") =>
  `select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and objsubid = 2 and objid = 0 and mode = '${mode}Lock'`;

/** Statements that disable triggers and steps, named "table.trigger" or "table.step". */
export const without = (...guards: string[]) => guards.map(disable);

/** An order's cancellation: what it changes belongs to orders, to stock and to deleted books. */
export const cancel = "update public.orders set status = 'cancelled' where id = :order";

/** A new order: the cart of the matrix's customer costs this much. */
export const placed =
  "insert into public.orders (user_id, total_amount, status) values (:customer, 45.5, 'pending')";
