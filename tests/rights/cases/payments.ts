import { type Case, refusedByConstraint } from "./case.ts";

const aboutPayments =
  "select string_agg(kind, ' ' order by kind) from public.outgoing_emails where event in (:payment, :doubtful_payment, :online_payment)";

export const paymentCases: Case[] = [
  {
    proves: "payments.queue_payment_emails",
    title: "a payment queues an email about what was paid or what staff have to decide",
    as: "database",
    sql: "update public.payments set state = 'settled', settled_at = now() where id = :doubtful_payment",
    afterwards: aboutPayments,
    answer: "yes, order_paid order_paid order_paid payment_needs_decision",
  },
  {
    proves: "payments.keep_payment",
    title: "nobody can delete a payment, even the database's owner",
    as: "database",
    sql: "delete from public.payments where id = :payment",
    answer: "append_only",
  },
  {
    proves: "payments.keep_payment",
    title: "a settled payment's amount cannot be changed",
    as: "database",
    sql: "update public.payments set amount = 99 where id = :payment",
    answer: "payment_is_final",
  },
  {
    proves: "payments.record_audit",
    title: "a payment and a decision are in the audit log",
    as: "database",
    sql: "update public.payments set state = 'settled', settled_at = now() where id = :doubtful_payment",
    afterwards:
      "select string_agg(action, ' ' order by id) from public.audit_log where table_name = 'payments' and row_id = :doubtful_payment",
    answer: "yes, insert update",
  },
  {
    proves: "orders.keep_paid_order",
    title: "an order with payments cannot be deleted",
    as: "admin",
    sql: "delete from public.orders where id = :delivered",
    answer: "order_is_paid",
  },
  {
    proves: "payments.keep_payment_sum",
    title: "an order's paid amount follows its payments",
    as: "database",
    sql: "update public.payments set state = 'settled', settled_at = now(), paid_on = current_date, amount = 7 where id = :doubtful_payment",
    afterwards: "select paid_amount || ' ' || has_undecided_payment from public.orders where id = :delivered",
    answer: "yes, 27.00 false",
  },
  {
    proves: "orders.find_payment_sum",
    title: "a restored order finds the payments that came in while it was deleted",
    given: [
      "insert into public.payments (order_id, kind, method, amount, state, paid_on, settled_at) values (:gone_order, 'payment', 'cash', 5, 'settled', current_date, now())",
    ],
    as: "admin",
    sql: "select count(*)::int as n from public.restore_order(:gone_order)",
    afterwards: "select paid_amount from public.orders where id = :gone_order",
    answer: "yes, 5.00",
  },
  {
    proves: "orders.limit_kept_amount",
    title: "no more of an order's money is kept than is owed back",
    given: [
      "update public.orders set status = 'cancelled', paid_amount = 20, kept_amount = 20 where id = :delivered",
    ],
    as: "admin",
    sql: "update public.orders set status = 'delivered' where id = :delivered",
    afterwards: "select kept_amount from public.orders where id = :delivered",
    answer: "yes, 0.00",
  },
  ...refusedByConstraint([
    [
      "orders.orders_kept_amount_is_not_negative",
      "23514",
      "update orders set kept_amount = -1 where id = :order",
    ],
    ["payments.payments_kind_is_known", "23514", "update payments set kind = 'gift' where id = :payment"],
    [
      "payments.payments_method_is_known",
      "23514",
      "update payments set method = 'cheque' where id = :payment",
    ],
    [
      "payments.payments_state_is_known",
      "23514",
      "update payments set state = 'lost' where id = :online_payment",
    ],
    [
      "payments.payments_amount_has_its_sign",
      "23514",
      "update payments set amount = -amount where id = :payment",
    ],
    ["payments.payments_are_in_cedis", "23514", "update payments set currency = 'USD' where id = :payment"],
    [
      "payments.payments_name_what_they_are_about",
      "23514",
      "update payments set about = :online_payment where id = :payment",
    ],
    [
      "payments.payments_by_hand_are_settled",
      "23514",
      "update payments set state = 'open', settled_at = null where id = :payment",
    ],
    ["payments.payments_have_an_order", "23514", "update payments set order_id = null where id = :payment"],
    [
      "payments.payments_have_a_reference",
      "23514",
      "update payments set reference = null where id = :online_payment",
    ],
    [
      "payments.payments_need_a_decision_for_a_reason",
      "23514",
      "update payments set reason = null where id = :doubtful_payment",
    ],
    ["payments.payments_settle_once", "23514", "update payments set settled_at = null where id = :payment"],
    ["payments.payments_have_a_day", "23514", "update payments set paid_on = null where id = :payment"],
    [
      "closings.closings_method_is_known",
      "23514",
      "update closings set method = 'cowries' where id = :closing",
    ],
    ["closings.closings_counted_is_sane", "23514", "update closings set counted = -1 where id = :closing"],
    [
      "closings.closings_note_is_short",
      "23514",
      "update closings set note = repeat('x', 501) where id = :closing",
    ],
    [
      "payments.payments_texts_are_short",
      "23514",
      "update payments set note = repeat('x', 501) where id = :payment",
    ],
  ]),
];
