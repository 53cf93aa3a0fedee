import { audited, type Case, justStamped, refusedByConstraint, refusedByForeignKey } from "./case.ts";

const supplier = (assignment: string) => `update suppliers set ${assignment} where id = :supplier`;
const purchase = (assignment: string) => `update purchase_orders set ${assignment} where id = :purchase`;
const line = (assignment: string) =>
  `update purchase_order_lines set ${assignment} where purchase_order_id = :purchase`;

const receipt = (assignment: string) => `update receipts set ${assignment} where id = :receipt`;
const received = (assignment: string) => `update receipt_lines set ${assignment} where receipt_id = :receipt`;

const constraints: [name: string, code: string, sql: string][] = [
  ["suppliers.suppliers_name_is_unique", "23505", "insert into suppliers (name) values ('LONGHORN')"],
  ["suppliers.suppliers_texts_are_short", "23514", supplier("terms = repeat('x', 501)")],
  ["suppliers.suppliers_discount_is_a_percentage", "23514", supplier("discount = 100.01")],
  ["suppliers.suppliers_currency_is_known", "23514", supplier("currency = 'XXX'")],
  ["suppliers.suppliers_delivery_is_within_a_year", "23514", supplier("delivery_days = 366")],
  [
    "purchase_orders.purchase_orders_number_is_unique",
    "23505",
    "insert into purchase_orders (id, supplier_id, currency, year, number) select gen_random_uuid(), :supplier, 'GHS', 2000, 1 from generate_series(1, 2)",
  ],
  ["purchase_orders.purchase_orders_number_is_whole", "23514", purchase("number = 1")],
  ["purchase_orders.purchase_orders_status_is_known", "23514", purchase("status = 'lost'")],
  ["purchase_orders.purchase_orders_sent_is_complete", "23514", purchase("status = 'sent'")],
  ["purchase_orders.purchase_orders_note_is_short", "23514", purchase("note = repeat('x', 2001)")],
  [
    "purchase_order_lines.purchase_order_lines_one_line_a_book",
    "23505",
    "insert into purchase_order_lines (purchase_order_id, book_id, position, title, copies, list_price, discount) values (:purchase, :other_book, 2, 'x', 1, 1, 0)",
  ],
  ["purchase_order_lines.purchase_order_lines_copies_are_sane", "23514", line("copies = 0")],
  ["purchase_order_lines.purchase_order_lines_received_is_not_negative", "23514", line("received = -1")],
  ["purchase_order_lines.purchase_order_lines_price_is_not_negative", "23514", line("list_price = -0.01")],
  ["purchase_order_lines.purchase_order_lines_discount_is_a_percentage", "23514", line("discount = -1")],
  ["receipts.receipts_currency_is_known", "23514", receipt("currency = 'XXX'")],
  ["receipts.receipts_rate_is_sane", "23514", receipt("rate = 2")],
  ["receipts.receipts_note_is_short", "23514", receipt("note = repeat('x', 2001)")],
  [
    "receipt_lines.receipt_lines_one_line_a_book",
    "23505",
    "insert into receipt_lines (receipt_id, book_id, title, copies, damaged) values (:receipt, :other_book, 'x', 1, 0)",
  ],
  ["receipt_lines.receipt_lines_copies_are_sane", "23514", received("copies = 0, damaged = 0")],
  ["receipt_lines.receipt_lines_cost_is_not_negative", "23514", received("cost = -0.01")],
];

const saveSupplier = `select 1 as n from public.save_supplier(_id => :supplier, _name => 'Longhorn', _phone => '0302123456',
  _updated_at => (select updated_at from public.suppliers where id = :supplier))`;
const changeLine = `select public.update_purchase_order(:purchase, 2,
  jsonb_build_array(jsonb_build_object('book_id', :other_book, 'copies', 11, 'list_price', 12.5, 'discount', 30)), 'Soon') as n`;

export const purchaseCases: Case[] = [
  ...refusedByConstraint(constraints),
  ...refusedByForeignKey([
    ["purchase_orders.purchase_orders_supplier_id_fkey", purchase("supplier_id = gen_random_uuid()")],
    [
      "purchase_order_lines.purchase_order_lines_purchase_order_id_fkey",
      line("purchase_order_id = gen_random_uuid()"),
    ],
    ["receipts.receipts_purchase_order_id_fkey", receipt("purchase_order_id = gen_random_uuid()")],
    ["receipt_lines.receipt_lines_receipt_id_fkey", received("receipt_id = gen_random_uuid()")],
  ]),
  {
    proves: "suppliers.stamp_updated_at",
    title: "an edit sets the time of the last change",
    as: "admin",
    sql: saveSupplier,
    afterwards: justStamped("suppliers", ":supplier"),
    answer: "yes, true",
  },
  {
    proves: "suppliers.record_audit",
    title: "an edit is in the log",
    as: "admin",
    sql: saveSupplier,
    afterwards: audited("suppliers", "row_id = :supplier", "update"),
    answer: "yes, 1",
  },
  {
    proves: "purchase_orders.stamp_purchase_order",
    title: "each change of a purchase order gives it a new version",
    as: "admin",
    sql: changeLine,
    afterwards: "select version from public.purchase_orders where id = :purchase",
    answer: "yes, 3",
  },
  {
    proves: "purchase_orders.bump_catalogue_version_if_coming",
    title: "a sent purchase order makes a new version of the catalogue",
    given: ["select setval('private.catalogue_versions', 1000)"],
    as: "admin",
    sql: "select 1 as n from public.send_purchase_order(:purchase, 2)",
    afterwards: "select last_value from private.catalogue_versions",
    answer: "yes, 1001",
  },
  {
    proves: "purchase_orders.stamp_updated_at",
    title: "changing a purchase order sets the time of the last change",
    as: "admin",
    sql: changeLine,
    afterwards: justStamped("purchase_orders", ":purchase"),
    answer: "yes, true",
  },
  {
    proves: "purchase_orders.record_audit",
    title: "a changed purchase order is in the log",
    as: "admin",
    sql: changeLine,
    afterwards: audited("purchase_orders", "row_id = :purchase", "update"),
    answer: "yes, 1",
  },
  {
    proves: "purchase_order_lines.record_audit",
    title: "a changed line is in the log",
    as: "admin",
    sql: changeLine,
    afterwards: audited("purchase_order_lines", "after ->> 'purchase_order_id' = :purchase", "update"),
    answer: "yes, 1",
  },
  {
    proves: "receipts.record_audit",
    title: "an undone receipt is in the log",
    as: "admin",
    sql: "select 1 as n from public.undo_receipt(:receipt)",
    afterwards: audited("receipts", "row_id = :receipt", "update"),
    answer: "yes, 1",
  },
];
