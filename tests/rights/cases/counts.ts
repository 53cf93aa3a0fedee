import { type Case, refusedByConstraint, refusedByForeignKey } from "./case.ts";

export const countCases: Case[] = [
  ...refusedByConstraint([
    [
      "stock_counts.stock_counts_name_is_short",
      "23514",
      "update stock_counts set name = '' where id = :count",
    ],
    [
      "stock_counts.stock_counts_scope_is_known",
      "23514",
      "update stock_counts set scope = 'shop' where id = :count",
    ],
    [
      "stock_counts.stock_counts_status_is_known",
      "23514",
      "update stock_counts set status = 'lost' where id = :count",
    ],
    [
      "stock_count_books.stock_count_books_counted_is_sane",
      "23514",
      "update stock_count_books set counted = -1 where count_id = :count",
    ],
    [
      "stock_count_books.stock_count_books_stock_is_in_order",
      "23514",
      "update stock_count_books set stock_low = stock_high + 1 where count_id = :count",
    ],
  ]),
  ...refusedByForeignKey([
    [
      "stock_count_books.stock_count_books_count_exists",
      "insert into stock_count_books (count_id, book_id, in_scope) values (gen_random_uuid(), :book, true)",
    ],
    [
      "stock_scans.stock_scans_book_is_in_count",
      "insert into stock_scans (id, count_id, book_id, round, copies, stock) values (gen_random_uuid(), :count, :other_book, 1, 1, 1)",
    ],
  ]),
];
