import { type Case, exactFigures, refusedByConstraint } from "./case.ts";

export const logCases: Case[] = [
  ...["audit_log", "stock_movements", "order_events"].map(
    (table): Case => ({
      proves: `${table}.keep_as_written`,
      title: "the log cannot be rewritten, even by the owner",
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
  ...(
    [
      ["orders.tally_order", "delete from public.orders where id = :order"],
      ["orders.tally_changed_order", "update public.orders set status = 'shipped' where id = :order"],
      [
        "profiles.tally_row",
        "insert into auth.users (id, email) values (gen_random_uuid(), 'new@school.example')",
      ],
      ["reviews.tally_row", "delete from public.reviews where user_id = :customer"],
    ] as const
  ).map(
    ([proves, sql]): Case => ({
      proves,
      title: "a change is in the figures",
      as: proves === "profiles.tally_row" ? "database" : "admin",
      sql,
      afterwards: exactFigures,
      answer: "yes, 0",
    }),
  ),
  ...["books", "orders", "profiles", "reviews"].map(
    (table): Case => ({
      proves: `${table}.forget_tallies`,
      title: "rows that are truncated are no longer in the figures",
      given: [`truncate public.${table} cascade`],
      as: "database",
      sql: "select 1 as n",
      afterwards: exactFigures,
      answer: "yes, 0",
    }),
  ),
  {
    proves: "private.tallies.fold_tallies_now_and_then",
    title: "many changes of a figure are folded into few rows",
    given: [
      "do 'begin for n in 1..2000 loop insert into private.tallies (counted, rows) values (''tests'', 1); end loop; end'",
    ],
    as: "database",
    sql: "select 1 as n",
    afterwards:
      "select sum(rows) || ' in few: ' || (count(*) < 1500) from private.tallies where counted = 'tests'",
    answer: "yes, 2000 in few: true",
  },
];
