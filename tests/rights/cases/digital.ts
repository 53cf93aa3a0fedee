import type { Case } from "./case.ts";

const file = "00000000-0000-4000-8000-0000000000d1";

/** The piece of the world belongs to a file that can be downloaded. */
const complete = `insert into private.digital_files (id, book_id, name, type, size, pieces, sha256)
  values ('${file}', :book, 'A.pdf', 'application/pdf', 4, 1, repeat('a', 64))`;
const removed = [complete, `update private.digital_files set removed_at = now() where id = '${file}'`];

const codeTitle = [
  "delete from public.cart_items where book_id = :book",
  "update public.books set kind = 'digital', digital_by = 'code' where id = :book",
  "insert into private.licence_codes (book_id, code) values (:book, 'A-1')",
];

/** The customer's paid order of the title, as if its copy had been taken. */
const paidOrder = [
  ...codeTitle,
  "insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title) values (:order, :book, :book, 1, 0, 'A title')",
  "insert into public.payments (order_id, user_id, kind, method, amount, state, paid_on, settled_at) values (:order, :customer, 'payment', 'cash', 59, 'settled', current_date, now())",
];

const settle =
  "insert into public.payments (order_id, user_id, kind, method, amount, state, paid_on, settled_at) values (:order, :customer, 'payment', 'cash', 1, 'settled', current_date, now())";

const newPiece = (name: string) =>
  `insert into storage.objects (bucket_id, name) values ('digital-files', '${name}')`;

export const digitalCases: Case[] = [
  {
    proves: "books.keep_digital_stock",
    title: "what staff write of a digital title's stock is left out",
    given: codeTitle,
    as: "admin",
    sql: "update public.books set stock_quantity = 7 where id = :book",
    afterwards: "select stock_quantity from public.books where id = :book",
    answer: "yes, 0",
  },
  {
    proves: "books.keep_digital_stock",
    title: "a title with codes stays digital",
    given: codeTitle,
    as: "admin",
    sql: "update public.books set kind = 'book' where id = :book",
    answer: "kind_in_use",
  },
  {
    proves: "private.licence_codes.keep_given_code",
    title: "a code that was given is never free again, even for the owner",
    given: [...codeTitle, "update private.licence_codes set order_id = :order, given_at = now()"],
    as: "database",
    sql: "update private.licence_codes set order_id = null, given_at = null",
    answer: "code_given",
  },
  {
    proves: "orders.settle_digital",
    title: "the payment that completes an order gives its codes",
    given: paidOrder,
    as: "database",
    sql: settle,
    afterwards: "select code from private.licence_codes where order_id = :order",
    answer: "yes, A-1",
  },
  ...(["moderator", "customer", "packer"] as const).map(
    (as): Case => ({
      proves: "storage.objects: staff list pieces of files",
      title: "nobody without the duty sees a piece, not even of what they have bought",
      given: [
        complete,
        "insert into public.order_items (order_id, book_id, sold_book_id, quantity, price, title) values (:order, :book, :book, 1, 0, 'A title')",
      ],
      as,
      sql: "select count(*)::int as n from storage.objects where bucket_id = 'digital-files'",
      answer: "none",
    }),
  ),
  ...[`${file}/0000`, `${file}/0051`, `${file}/1`, `${file}`, "cover.pdf", `../${file}/0001`].map(
    (name): Case => ({
      proves: "storage.objects: staff add pieces of files",
      title: `a piece has its file's name and a number: not ${name}`,
      as: "admin",
      sql: newPiece(name),
      answer: "invalid_piece",
    }),
  ),
  ...[[complete], removed].map(
    (given): Case => ({
      proves: "storage.objects: staff add pieces of files",
      title: "a complete file gets no further piece, also once it was removed",
      given,
      as: "admin",
      sql: newPiece(`${file}/0002`),
      answer: "file_complete",
    }),
  ),
  {
    proves: "storage.objects: staff add pieces of files",
    title: "an admin adds no 151st piece within ten minutes",
    given: [
      `insert into storage.objects (bucket_id, name, owner_id) select 'digital-files', gen_random_uuid() || '/0001', :admin from generate_series(1, 150)`,
    ],
    as: "admin",
    sql: newPiece(`${file}/0002`),
    answer: "too_many_pieces",
  },
  {
    proves: "storage.objects: staff replace pieces of files",
    title: "an admin gives no piece another name than a piece has",
    as: "admin",
    sql: "update storage.objects set name = 'moved' where bucket_id = 'digital-files'",
    answer: "invalid_piece",
  },
  {
    proves: "storage.objects: staff replace pieces of files",
    title: "a piece of a complete file stays as it is",
    given: [complete],
    as: "admin",
    sql: "update storage.objects set metadata = '{}' where bucket_id = 'digital-files'",
    answer: "none",
  },
  {
    proves: "storage.objects: staff replace pieces of files",
    title: "a piece is not renamed to what is none",
    as: "admin",
    sql: "update storage.objects set name = 'cover.pdf' where bucket_id = 'digital-files'",
    answer: "invalid_piece",
  },
  {
    proves: "storage.objects: staff delete pieces of files",
    title: "a piece of a file that can be downloaded is not deleted",
    given: [complete],
    as: "admin",
    sql: "delete from storage.objects where bucket_id = 'digital-files'",
    answer: "none",
  },
];
