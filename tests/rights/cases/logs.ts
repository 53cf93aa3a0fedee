import { type Case, exactFigures, placed, refusedByConstraint } from "./case.ts";

export const logCases: Case[] = [
  ...["audit_log", "stock_movements", "order_events", "closings", "stock_scans"].map(
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
      ["orders.tally_order", "admin", "delete from public.orders where id = :order"],
      ["orders.tally_order", "admin", "update public.orders set status = 'shipped' where id = :order"],
      ["orders.tally_order", "customer", placed],
      [
        "profiles.tally_row",
        "database",
        "insert into auth.users (id, email) values (gen_random_uuid(), 'new@school.example')",
      ],
      ["reviews.tally_row", "admin", "delete from public.reviews where user_id = :customer"],
    ] as const
  ).map(
    ([proves, as, sql]): Case => ({
      proves,
      title: "a change is in the figures",
      as,
      sql,
      afterwards: exactFigures,
      answer: "yes, 0",
    }),
  ),
  ...["books", "profiles", "reviews"].map(
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
  ...(
    [
      [
        "orders.count_changed_order",
        "admin",
        "update public.orders set status = 'cancelled' where id = :order",
      ],
      ["orders.count_new_order", "customer", placed],
      ["orders.count_order", "admin", "delete from public.orders where id = :order"],
      [
        "order_items.count_line_sales",
        "database",
        "insert into public.order_items (order_id, quantity, price, title) values (:order, 1, 5, 'Another')",
      ],
      [
        "order_items.count_changed_line_sales",
        "database",
        "update public.order_items set quantity = quantity + 1 where order_id = :order",
      ],
      [
        "order_items.uncount_line_sales",
        "database",
        "delete from public.order_items where order_id = :order",
      ],
    ] as const
  ).map(
    ([proves, as, sql]): Case => ({
      proves,
      title: "a change is in the sums of sales",
      as,
      sql,
      afterwards: "select count(*) from private.wrong_sales()",
      answer: "yes, 0",
    }),
  ),
  {
    proves: "orders.forget_order_sums",
    title: "orders that are truncated are no longer in the sums of sales",
    given: ["truncate public.orders cascade"],
    as: "database",
    sql: "select 1 as n",
    afterwards: "select count(*) from private.wrong_sales()",
    answer: "yes, 0",
  },
  {
    proves: "orders.forget_order_sums",
    title: "orders that are truncated are no longer in the figures",
    given: ["truncate public.orders cascade"],
    as: "database",
    sql: "select 1 as n",
    afterwards: exactFigures,
    answer: "yes, 0",
  },
  {
    proves: "private.sales_changes.fold_sales_now_and_then",
    title: "many changes of sales are folded into few rows",
    given: [
      "do 'begin for n in 1..2000 loop insert into private.sales_changes (day, is_line, region, orders) values (''2026-02-01'', false, ''tests'', 1); end loop; end'",
    ],
    as: "database",
    sql: "select 1 as n",
    afterwards:
      "select 'few: ' || (select count(*) < 1500 from private.sales_changes) || ', all: ' || (select sum(orders) = 2000 from (select orders from private.sales_changes union all select orders from private.sales where dimension = 'region' and grain = 'day' and region = 'tests') as s)",
    answer: "yes, few: true, all: true",
  },
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
