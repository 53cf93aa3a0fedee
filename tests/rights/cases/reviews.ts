import { audited, type Case, holdsStock, refusedByConstraint, refusedByForeignKey } from "./case.ts";

export const reviewCases: Case[] = [
  {
    proves: "reviews.queue_stock_writes",
    title: "deleting a review holds the lock on stock",
    as: "admin",
    sql: "delete from public.reviews where id = :review",
    afterwards: holdsStock("Exclusive"),
    answer: "yes, 1",
  },
  {
    proves: "reviews.follow_reviews",
    title: "ratings follow the reviews",
    as: "admin",
    sql: "delete from public.reviews where id = :review",
    afterwards: "select review_count from public.books where id = :book",
    answer: "yes, 0",
  },
  {
    proves: "reviews.record_audit",
    title: "a deleted review is in the log",
    as: "admin",
    sql: "delete from public.reviews where id = :review",
    afterwards: audited("reviews", "row_id = :review", "delete"),
    answer: "yes, 1",
  },
  ...refusedByConstraint([
    ["reviews.reviews_rating_is_out_of_five", "23514", "update reviews set rating = 6 where id = :review"],
    [
      "reviews.reviews_text_is_short",
      "23514",
      "update reviews set review_text = repeat('x', 2001) where id = :review",
    ],
  ]),
  {
    proves: "reviews.bump_catalogue_version_if_shown",
    title: "pages with a changed review are rendered again",
    given: ["create temporary table kept as select last_value from private.catalogue_versions"],
    as: "database",
    sql: "update public.reviews set review_text = 'Better' where id = :review",
    afterwards: "select now.last_value > kept.last_value from private.catalogue_versions now, kept",
    answer: "yes, true",
  },
  ...refusedByConstraint([
    [
      "reviews.reviews_one_a_book",
      "23505",
      "insert into reviews (book_id, user_id, rating) values (:book, :customer, 5)",
    ],
  ]),
  ...refusedByForeignKey([
    ["reviews.reviews_book_id_fkey", "update reviews set book_id = gen_random_uuid() where id = :review"],
    ["reviews.reviews_user_id_fkey", "update reviews set user_id = gen_random_uuid() where id = :review"],
  ]),
];
