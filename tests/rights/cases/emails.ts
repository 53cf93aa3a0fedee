import { type Case, refusedByConstraint } from "./case.ts";

export const emailCases: Case[] = [
  {
    proves: "orders.queue_new_order_emails",
    title: "an order has an email to its customer and one to the owner",
    as: "customer",
    sql: "insert into public.orders (user_id, total_amount, status) values (:customer, 45.5, 'pending')",
    afterwards:
      "select string_agg(kind, ' ' order by kind) from public.outgoing_emails where order_id not in (:order, :delivered, :gone_order)",
    answer: "yes, new_order order_placed",
  },
  {
    proves: "order_events.queue_status_emails",
    title: "a changed status has an email",
    as: "admin",
    sql: "update public.orders set status = 'shipped' where id = :order",
    afterwards:
      "select string_agg(kind || ' ' || status, ' ') from public.outgoing_emails where order_id = :order and status is not null",
    answer: "yes, order_status_changed shipped",
  },
  ...refusedByConstraint([
    [
      "outgoing_emails.outgoing_emails_one_per_event",
      "23505",
      "insert into outgoing_emails (kind, event, order_id) values ('order_placed', :order, :order)",
    ],
    [
      "outgoing_emails.outgoing_emails_kind_is_known",
      "23514",
      "update outgoing_emails set kind = 'newsletter' where id = :email",
    ],
    [
      "outgoing_emails.outgoing_emails_state_is_known",
      "23514",
      "update outgoing_emails set state = 'lost' where id = :email",
    ],
    [
      "outgoing_emails.outgoing_emails_have_a_cause",
      "23514",
      "update outgoing_emails set event = null where id = :email",
    ],
    [
      "outgoing_emails.outgoing_emails_settle_once",
      "23514",
      "update outgoing_emails set settled_at = null where id = :email",
    ],
    [
      "outgoing_emails.outgoing_emails_reason_is_short",
      "23514",
      "update outgoing_emails set reason = repeat('x', 301) where id = :email",
    ],
  ]),
];
