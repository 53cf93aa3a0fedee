import { type Case, refusedByConstraint } from "./case.ts";

export const logCases: Case[] = [
  ...["audit_log", "stock_movements", "order_events"].map(
    (table): Case => ({
      proves: `${table}.keep_as_written`,
      title: "the log is not rewritten, not even by the owner",
      as: "database",
      sql: `update public.${table} set actor = null`,
      answer: "append_only",
    }),
  ),
  ...refusedByConstraint([
    [
      "audit_log.audit_log_action_is_known",
      "23514",
      "update audit_log set action = 'lost' where id = :gone_book",
    ],
  ]),
];
