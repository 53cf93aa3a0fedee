import { audited, type Case, justStamped, refusedByConstraint, refusedByForeignKey } from "./case.ts";

const constraints: [name: string, code: string, sql: string][] = [
  [
    "quotes.quotes_number_is_unique",
    "23505",
    "insert into quotes (user_id, year, number) select user_id, year, number from quotes where id = :offer",
  ],
  ["quotes.quotes_number_is_whole", "23514", "update quotes set number = 1 where id = :quote"],
  [
    "quotes.quotes_one_an_order",
    "23505",
    "insert into quotes (user_id, status, order_id, sent_at, year, number, valid_until, delivery_fee) select :customer, 'accepted', :order, now(), 2000, n, current_date, 0 from generate_series(1, 2) as n",
  ],
  ["quotes.quotes_status_is_known", "23514", "update quotes set status = 'expired' where id = :quote"],
  ["quotes.quotes_sent_is_complete", "23514", "update quotes set status = 'sent' where id = :quote"],
  ["quotes.quotes_delivery_is_sane", "23514", "update quotes set region = 'Togo' where id = :quote"],
  [
    "quotes.quotes_without_account_are_of_staff",
    "23514",
    "update quotes set user_id = null where id = :quote",
  ],
  ["quotes.quotes_accepted_has_an_order", "23514", "update quotes set status = 'accepted' where id = :offer"],
  [
    "quotes.quotes_contact_is_short",
    "23514",
    "update quotes set institution = repeat('x', 201) where id = :quote",
  ],
  ["quotes.quotes_texts_are_short", "23514", "update quotes set note = repeat('x', 2001) where id = :quote"],
  [
    "quote_lines.quote_lines_one_line_a_book",
    "23505",
    "insert into quote_lines (quote_id, book_id, position, title, shop_price, unit_price, quantity) values (:quote, :book, 2, 'x', 1, 1, 1)",
  ],
  [
    "quote_lines.quote_lines_quantity_is_sane",
    "23514",
    "update quote_lines set quantity = 10000 where quote_id = :quote",
  ],
  [
    "quote_lines.quote_lines_prices_are_not_negative",
    "23514",
    "update quote_lines set unit_price = -0.01 where quote_id = :quote",
  ],
];

const foreignKeys: [name: string, sql: string][] = [
  ["quotes.quotes_user_id_fkey", "update quotes set user_id = gen_random_uuid() where id = :quote"],
  [
    "quote_lines.quote_lines_quote_id_fkey",
    "update quote_lines set quote_id = gen_random_uuid() where quote_id = :quote",
  ],
];

const linesOf = (lines: [book: string, price: number][]) =>
  `jsonb_build_array(${lines.map(([book, price]) => `jsonb_build_object('book_id', ${book}, 'quantity', 1, 'unit_price', ${price})`).join(", ")})`;
const edit = (...lines: [book: string, price: number][]) =>
  `select public.update_quote(:quote, 1, ${linesOf(lines)}) as n`;

export const quoteCases: Case[] = [
  ...refusedByConstraint(constraints),
  ...refusedByForeignKey(foreignKeys),
  {
    proves: "quotes.stamp_quote",
    title: "each change of a quote gives it a new version",
    as: "admin",
    sql: edit([":book", 40]),
    afterwards: "select version from public.quotes where id = :quote",
    answer: "yes, 2",
  },
  {
    proves: "quotes.stamp_updated_at",
    title: "changing a quote sets the time of the last change",
    as: "admin",
    sql: edit([":book", 40]),
    afterwards: justStamped("quotes", ":quote"),
    answer: "yes, true",
  },
  {
    proves: "quotes.record_audit",
    title: "a changed quote is in the log",
    as: "admin",
    sql: `select public.update_quote(:quote, 1, ${linesOf([[":book", 40]])}, null, 'For a class set') as n`,
    afterwards: audited("quotes", "row_id = :quote", "update"),
    answer: "yes, 1",
  },
  {
    proves: "quote_lines.record_added_line",
    title: "a line that staff add is in the log",
    as: "admin",
    sql: edit([":book", 45.5], [":other_book", 18]),
    afterwards: audited("quote_lines", "after ->> 'quote_id' = :quote", "insert"),
    answer: "yes, 1",
  },
  {
    proves: "quote_lines.record_audit",
    title: "a changed price is in the log",
    as: "admin",
    sql: edit([":book", 40]),
    afterwards: audited("quote_lines", "after ->> 'quote_id' = :quote", "update"),
    answer: "yes, 1",
  },
  {
    proves: "quotes: customers read what they were sent, staff all",
    title: "a customer does not read their quote before it is sent",
    as: "customer",
    sql: "select count(*)::int as n from public.quotes where id = :quote",
    answer: "none",
  },
  {
    proves: "quotes: customers read what they were sent, staff all",
    title: "a sent quote that staff change is a draft again",
    given: [`select public.update_quote(:offer, 2, ${linesOf([[":book", 40]])})`],
    as: "customer",
    sql: "select count(*)::int as n from public.quotes where id = :offer",
    answer: "none",
  },
  {
    proves: "quote_lines: people read the lines of the quotes that they may read",
    title: "a customer does not read the prices of a draft",
    as: "customer",
    sql: "select count(*)::int as n from public.quote_lines where quote_id = :quote",
    answer: "none",
  },
];
