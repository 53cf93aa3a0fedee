import { type Case, refusedByConstraint, refusedByForeignKey } from "./case.ts";

/** A list of 1,001 books for the customer, written with triggers disabled. */
const fullList = (table: string) => [
  "set local session_replication_role = replica",
  "insert into public.books (title, price) select 'Filler ' || n, 1 from generate_series(1, 1001) as n",
  `insert into public.${table} (user_id, book_id) select :customer, id from public.books where title like 'Filler %'`,
  "set local session_replication_role = origin",
];

export const cartCases: Case[] = [
  {
    proves: "cart_items.check_cart_line",
    title: "a missing quantity is refused with a message",
    as: "customer",
    sql: "update public.cart_items set quantity = 0 where id = :line",
    answer: "invalid_field",
  },
  {
    proves: "cart_items.bound_cart",
    title: "a cart has a limit",
    given: fullList("cart_items"),
    as: "customer",
    sql: "insert into public.cart_items (user_id, book_id) values (:customer, :other_book)",
    answer: "cart_full",
  },
  {
    proves: "wishlists.bound_wishlist",
    title: "a wishlist has a limit",
    given: fullList("wishlists"),
    as: "customer",
    sql: "insert into public.wishlists (user_id, book_id) values (:customer, :other_book)",
    answer: "wishlist_full",
  },
  {
    proves: "cart_items: customers change their own cart",
    title: "even with the right to the column, no one gives their cart away",
    given: ["grant update on public.cart_items to authenticated"],
    as: "customer",
    sql: "update public.cart_items set user_id = :stranger",
    answer: "policy",
  },
  ...refusedByConstraint([
    [
      "cart_items.cart_items_quantity_is_sane",
      "23514",
      "update cart_items set quantity = 1000 where id = :line",
    ],
    [
      "cart_items.cart_items_one_line_a_book",
      "23505",
      "insert into cart_items (user_id, book_id) values (:customer, :book)",
    ],
    [
      "wishlists.wishlists_one_row_a_book",
      "23505",
      "insert into wishlists (user_id, book_id) values (:customer, :book)",
    ],
  ]),
  ...refusedByForeignKey([
    [
      "cart_items.cart_items_user_id_fkey",
      "update cart_items set user_id = gen_random_uuid() where id = :line",
    ],
    [
      "cart_items.cart_items_book_id_fkey",
      "update cart_items set book_id = gen_random_uuid() where id = :line",
    ],
    ["wishlists.wishlists_user_id_fkey", "update wishlists set user_id = gen_random_uuid() where id = :wish"],
    ["wishlists.wishlists_book_id_fkey", "update wishlists set book_id = gen_random_uuid() where id = :wish"],
  ]),
];
