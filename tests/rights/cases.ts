import type { Answer, PersonName } from "./people.ts";

/**
 * What the matrix's plain questions cannot show: values, triggers, constraints, and the second lines of defence behind a
 * first one. Each names what would let it fail: "table.trigger", "table.constraint" or "table: policy".
 */
export type Case = {
  proves: string;
  title: string;
  given?: string[];
  as: PersonName | "database";
  sql: string;
  afterwards?: string;
  bare?: boolean;
  /** As in the matrix; with `afterwards`, followed by its value. */
  answer: Answer;
};

/** Rows that a constraint alone refuses, with triggers asleep: the backstop behind the clear words of the triggers. */
const constraints: [name: string, code: string, sql: string][] = [
  [
    "profiles.profiles_full_name_is_short",
    "23514",
    "update profiles set full_name = repeat('x', 201) where id = :customer",
  ],
  [
    "profiles.profiles_email_is_short",
    "23514",
    "update profiles set email = repeat('x', 321) where id = :customer",
  ],
  [
    "profiles.profiles_phone_is_short",
    "23514",
    "update profiles set phone = repeat('1', 41) where id = :customer",
  ],
  [
    "user_roles.user_roles_role_is_known",
    "23514",
    "update user_roles set role = 'owner' where user_id = :customer",
  ],
  [
    "audit_log.audit_log_action_is_known",
    "23514",
    "update audit_log set action = 'lost' where id = :gone_book",
  ],
  ["books.books_title_is_short", "23514", "update books set title = repeat('x', 501) where id = :book"],
  ["books.books_authors_are_short", "23514", "update books set authors = repeat('x', 1001) where id = :book"],
  [
    "books.books_publisher_is_short",
    "23514",
    "update books set publisher = repeat('x', 201) where id = :book",
  ],
  ["books.books_isbn_is_short", "23514", "update books set isbn = repeat('x', 41) where id = :book"],
  [
    "books.books_description_is_short",
    "23514",
    "update books set description = repeat('x', 10001) where id = :book",
  ],
  [
    "books.books_image_url_is_short",
    "23514",
    "update books set image_url = repeat('x', 2001) where id = :book",
  ],
  ["books.books_details_are_short", "23514", "update books set edition = repeat('x', 201) where id = :book"],
  ["books.books_price_is_not_negative", "23514", "update books set price = -0.01 where id = :book"],
  ["books.books_stock_is_not_negative", "23514", "update books set stock_quantity = -1 where id = :book"],
  ["books.books_rating_is_out_of_five", "23514", "update books set average_rating = 5.01 where id = :book"],
  [
    "books.books_review_count_is_not_negative",
    "23514",
    "update books set review_count = -1 where id = :book",
  ],
  ["stock_movements.stock_movements_move_something", "23514", "update stock_movements set quantity = 0"],
  ["stock_movements.stock_movements_reason_is_known", "23514", "update stock_movements set reason = 'theft'"],
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
  ["orders.orders_status_is_known", "23514", "update orders set status = 'lost' where id = :order"],
  ["orders.orders_total_is_not_negative", "23514", "update orders set total_amount = -1 where id = :order"],
  [
    "orders.orders_shipping_address_is_short",
    "23514",
    "update orders set shipping_address = repeat('x', 1001) where id = :order",
  ],
  [
    "orders.orders_number_is_unique",
    "23505",
    "insert into orders (number, user_id, total_amount) overriding system value select number, user_id, 1 from orders where id = :order",
  ],
  [
    "orders.orders_recipient_is_short",
    "23514",
    "update orders set recipient_name = repeat('x', 201) where id = :order",
  ],
  [
    "order_items.order_items_quantity_is_positive",
    "23514",
    "update order_items set quantity = 0 where order_id = :order",
  ],
  [
    "order_items.order_items_price_is_not_negative",
    "23514",
    "update order_items set price = -1 where order_id = :order",
  ],
  [
    "order_items.order_items_one_line_a_book",
    "23505",
    "insert into order_items (order_id, book_id, quantity, price, title) values (:order, :ordered_book, 1, 1, 'x')",
  ],
  ["reviews.reviews_rating_is_out_of_five", "23514", "update reviews set rating = 6 where id = :review"],
  [
    "reviews.reviews_text_is_short",
    "23514",
    "update reviews set review_text = repeat('x', 5001) where id = :review",
  ],
  [
    "book_imports.book_imports_status_is_known",
    "23514",
    "update book_imports set status = 'lost' where id = :import",
  ],
  [
    "book_imports.book_imports_file_name_is_short",
    "23514",
    "update book_imports set file_name = repeat('x', 301) where id = :import",
  ],
  [
    "book_imports.book_imports_headings_are_few",
    "23514",
    "update book_imports set headings = to_jsonb(repeat('x', 50001)) where id = :import",
  ],
  [
    "book_import_rows.book_import_rows_action_is_known",
    "23514",
    "update book_import_rows set action = 'lose' where import_id = :import",
  ],
];

/** Rows that name something which is not there. */
const foreignKeys: [name: string, sql: string][] = [
  ["profiles.profiles_id_fkey", "update profiles set id = gen_random_uuid() where id = :stranger"],
  [
    "user_roles.user_roles_user_id_fkey",
    "update user_roles set user_id = gen_random_uuid() where user_id = :customer",
  ],
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
  ["orders.orders_user_id_fkey", "update orders set user_id = gen_random_uuid() where id = :order"],
  [
    "order_items.order_items_order_id_fkey",
    "update order_items set order_id = gen_random_uuid() where order_id = :order",
  ],
  [
    "order_items.order_items_book_id_fkey",
    "update order_items set book_id = gen_random_uuid() where order_id = :order",
  ],
  ["reviews.reviews_book_id_fkey", "update reviews set book_id = gen_random_uuid() where id = :review"],
  ["reviews.reviews_user_id_fkey", "update reviews set user_id = gen_random_uuid() where id = :review"],
  [
    "book_import_rows.book_import_rows_import_id_fkey",
    "update book_import_rows set import_id = gen_random_uuid() where import_id = :import",
  ],
];

const audited = (table: string, row: string, action: string) =>
  `select count(*) from public.audit_log where table_name = '${table}' and ${row} and action = '${action}' and actor = :admin`;

const stockOfOrdered = "select stock_quantity from public.books where id = :ordered_book";
const justStamped = (table: string, row: string) =>
  `select updated_at > now() - interval '2 milliseconds' from public.${table} where id = ${row}`;
/** Whether this transaction holds the lock on stock. */
const holdsStock = (mode: "Exclusive" | "Share") =>
  `select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and objsubid = 2 and objid = 0 and mode = '${mode}Lock'`;
const cancel = "update public.orders set status = 'cancelled' where id = :order";
const edit = "update public.books set edition = 'Second' where id = :book";

/** A list of 1,001 books for the customer, written with triggers asleep. */
const fullList = (table: string) => [
  "set local session_replication_role = replica",
  "insert into public.books (title, price) select 'Filler ' || n, 1 from generate_series(1, 1001) as n",
  `insert into public.${table} (user_id, book_id) select :customer, id from public.books where title like 'Filler %'`,
  "set local session_replication_role = origin",
];

const triggers: Case[] = [
  {
    proves: "profiles.check_profile",
    title: "white space is not a name",
    as: "customer",
    sql: "update public.profiles set full_name = '  ' where id = :customer",
    afterwards: "select full_name is null from public.profiles where id = :customer",
    answer: "yes, true",
  },
  {
    proves: "auth.users.create_profile",
    title: "an account has a profile",
    as: "database",
    sql: "insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'new@school.example')",
    afterwards: "select email from public.profiles where id = '00000000-0000-4000-8000-000000000001'",
    answer: "yes, new@school.example",
  },
  {
    proves: "auth.users.follow_email",
    title: "a profile follows its account's email",
    as: "database",
    sql: "update auth.users set email = 'moved@school.example' where id = :customer",
    afterwards: "select email from public.profiles where id = :customer",
    answer: "yes, moved@school.example",
  },
  {
    proves: "auth.users.follow_sign_up",
    title: "an unconfirmed account's profile follows its sign-up",
    as: "database",
    given: ["update auth.users set email_confirmed_at = null where id = :customer"],
    sql: `update auth.users set raw_user_meta_data = '{"full_name": "Ama"}' where id = :customer`,
    afterwards: "select full_name from public.profiles where id = :customer",
    answer: "yes, Ama",
  },
  {
    proves: "user_roles.queue_role_writes",
    title: "no one makes themselves an admin",
    as: "customer",
    sql: "insert into public.user_roles (user_id, role) values (:customer, 'admin')",
    answer: "admin_only",
  },
  {
    proves: "user_roles.check_role",
    title: "an unknown role is refused with a message",
    as: "admin",
    sql: "insert into public.user_roles (user_id, role) values (:customer, 'owner')",
    answer: "invalid_field",
  },
  {
    proves: "user_roles.replace_roles",
    title: "a new role replaces the old one",
    as: "admin",
    sql: "insert into public.user_roles (user_id, role) values (:customer, 'moderator')",
    afterwards: "select string_agg(role, ' ') from public.user_roles where user_id = :customer",
    answer: "yes, moderator",
  },
  {
    proves: "user_roles.keep_an_admin_on_delete",
    title: "the last admin cannot leave",
    as: "admin",
    sql: "delete from public.user_roles where user_id = :admin",
    answer: "last_admin",
  },
  {
    proves: "user_roles.keep_an_admin_on_update",
    title: "the last admin cannot be changed either",
    as: "database",
    sql: "update public.user_roles set role = 'user' where user_id = :admin",
    answer: "last_admin",
  },
  {
    proves: "user_roles.record_audit",
    title: "a given role is in the log",
    as: "admin",
    sql: "insert into public.user_roles (user_id, role) values (:customer, 'moderator')",
    afterwards: audited("user_roles", "after ->> 'user_id' = :customer", "insert"),
    answer: "yes, 1",
  },
  ...["audit_log", "stock_movements", "order_events"].map(
    (table): Case => ({
      proves: `${table}.keep_as_written`,
      title: "the log is not rewritten, not even by the owner",
      as: "database",
      sql: `update public.${table} set actor = null`,
      answer: "append_only",
    }),
  ),
  {
    proves: "books.check_new_book",
    title: "a book has a title",
    as: "admin",
    sql: "insert into public.books (title, price) values ('   ', 1)",
    answer: "invalid_field",
  },
  {
    proves: "books.check_changed_book",
    title: "a book keeps a title",
    as: "admin",
    sql: "update public.books set title = '   ' where id = :book",
    answer: "invalid_field",
  },
  {
    proves: "books.stamp_updated_at",
    title: "an edit has its time",
    as: "admin",
    sql: edit,
    afterwards: justStamped("books", ":book"),
    answer: "yes, true",
  },
  {
    proves: "books.record_audit",
    title: "an edit is in the log",
    as: "admin",
    sql: edit,
    afterwards: audited("books", "row_id = :book", "update"),
    answer: "yes, 1",
  },
  {
    proves: "books.bump_catalogue_version",
    title: "a deletion makes a new version of the catalogue",
    given: ["select setval('private.catalogue_versions', 1000)"],
    as: "admin",
    sql: "delete from public.books where id = :ordered_book",
    afterwards: "select last_value from private.catalogue_versions",
    answer: "yes, 1001",
  },
  {
    proves: "books.bump_catalogue_version_if_shown",
    title: "an edit makes a new version of the catalogue",
    given: ["select setval('private.catalogue_versions', 1000)"],
    as: "admin",
    sql: edit,
    afterwards: "select last_value from private.catalogue_versions",
    answer: "yes, 1001",
  },
  {
    proves: "private.demo_rows.bump_catalogue_version",
    title: "the demo's end makes a new version of the catalogue",
    given: ["select setval('private.catalogue_versions', 1000)"],
    as: "key",
    sql: "select 1 as n from public.clear_demo(_dry_run => false)",
    afterwards: "select last_value from private.catalogue_versions",
    answer: "yes, 1002",
  },
  {
    proves: "books.archive_stock",
    title: "a deleted book's stock is kept",
    as: "admin",
    sql: "delete from public.books where id = :ordered_book",
    afterwards: "select stock_quantity from private.gone_books where id = :ordered_book",
    answer: "yes, 7",
  },
  {
    proves: "books.drop_archived_stock",
    title: "a restored book's stock is its own again",
    as: "admin",
    sql: "select 1 as n from public.restore_book(:gone_book)",
    afterwards: "select count(*) from private.gone_books",
    answer: "yes, 0",
  },
  {
    proves: "private.gone_books.record_stock_movement",
    title: "a deleted book's copies move too",
    given: ["delete from public.books where id = :ordered_book"],
    as: "customer",
    sql: cancel,
    afterwards:
      "select quantity || ' ' || reason from public.stock_movements where book_id = :ordered_book order by id desc limit 1",
    answer: "yes, 2 cancel",
  },
  {
    proves: "books.queue_stock_writes",
    title: "an edit holds the lock on stock",
    as: "admin",
    sql: edit,
    afterwards: holdsStock("Exclusive"),
    answer: "yes, 1",
  },
  {
    proves: "reviews.queue_stock_writes",
    title: "deleting a review holds the lock on stock",
    as: "admin",
    sql: "delete from public.reviews where id = :review",
    afterwards: holdsStock("Exclusive"),
    answer: "yes, 1",
  },
  {
    proves: "orders.queue_stock_writes",
    title: "cancelling holds the lock on stock",
    as: "customer",
    sql: cancel,
    afterwards: holdsStock("Exclusive"),
    answer: "yes, 1",
  },
  {
    proves: "orders.queue_stock_writes",
    title: "placing an order shares the lock on stock",
    as: "customer",
    sql: "insert into public.orders (user_id, total_amount, status) values (:customer, 45.5, 'pending')",
    afterwards: holdsStock("Share"),
    answer: "yes, 1",
  },
  {
    proves: "books.record_stock_movement",
    title: "counted stock is a movement",
    as: "admin",
    sql: "update public.books set stock_quantity = 9 where id = :book",
    afterwards:
      "select string_agg(quantity || ' ' || reason, ', ') from public.stock_movements where book_id = :book",
    answer: "yes, 4 manual",
  },
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
    proves: "orders.stamp_updated_at",
    title: "a cancelled order has its time",
    as: "customer",
    sql: cancel,
    afterwards: justStamped("orders", ":order"),
    answer: "yes, true",
  },
  {
    proves: "orders.record_audit",
    title: "a changed status is in the log",
    as: "admin",
    sql: cancel,
    afterwards: audited("orders", "row_id = :order", "update"),
    answer: "yes, 1",
  },
  {
    proves: "orders.record_order_event",
    title: "a changed status is in the order's history",
    as: "customer",
    sql: cancel,
    afterwards:
      "select string_agg(from_status || ' ' || to_status, ', ') from public.order_events where order_id = :order",
    answer: "yes, pending cancelled",
  },
  {
    proves: "orders.check_new_order",
    title: "a new order must be pending, with a message",
    as: "customer",
    sql: "insert into public.orders (user_id, total_amount, status) values (:customer, 45.5, 'shipped')",
    answer: "order_not_pending",
  },
  {
    proves: "orders.fill_new_order",
    title: "an order costs what its books cost",
    as: "customer",
    sql: "insert into public.orders (user_id, total_amount, status) values (:customer, 1, 'pending')",
    answer: "total_changed",
  },
  {
    proves: "orders.follow_status",
    title: "cancelling returns the copies",
    as: "customer",
    sql: cancel,
    afterwards: stockOfOrdered,
    answer: "yes, 9",
  },
  {
    proves: "orders.return_deleted_order",
    title: "deleting returns the copies",
    as: "admin",
    sql: "delete from public.orders where id = :order",
    afterwards: stockOfOrdered,
    answer: "yes, 9",
  },
  {
    proves: "order_items.pass_over_known_line",
    title: "no one adds a line to their order",
    as: "customer",
    sql: "insert into public.order_items (order_id, book_id, quantity, price) values (:order, :book, 1, 0.01)",
    answer: "order_item_refused",
  },
  {
    proves: "order_items.record_audit",
    title: "the lines of a deleted order are in the log",
    as: "admin",
    sql: "delete from public.orders where id = :order",
    afterwards: audited("order_items", "before ->> 'order_id' = :order", "delete"),
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
];

const anotherBucket = [
  "insert into storage.buckets (id, name) values ('private', 'private')",
  "insert into storage.objects (bucket_id, name) values ('private', 'cover.jpg')",
];
const without = (...named: string[]) =>
  named.map((trigger) => {
    const [table, name] = trigger.split(".");
    return `alter table public.${table} disable trigger ${name}`;
  });

const policies: Case[] = [
  {
    proves: "orders: customers cancel their own orders while that is possible",
    title: "a customer does not set their own order to delivered",
    as: "customer",
    sql: "update public.orders set status = 'delivered' where id = :order",
    answer: "policy",
  },
  {
    proves: "orders: customers cancel their own orders while that is possible",
    title: "a delivered order is not cancelled",
    as: "customer",
    sql: "update public.orders set status = 'cancelled' where id = :delivered",
    answer: "none",
  },
  {
    proves: "orders: admins set the status of any order",
    title: "an admin sets a delivered order back to an earlier status",
    as: "admin",
    sql: "update public.orders set status = 'processing' where id = :delivered",
    answer: "yes",
  },
  {
    proves: "profiles: customers change their own profile",
    title: "an update without a filter changes only the caller's own profile",
    as: "stranger",
    sql: "update public.profiles set full_name = 'Changed'",
    afterwards: "select count(*) from public.profiles where full_name = 'Changed'",
    answer: "yes, 1",
  },
  {
    proves: "profiles: customers change their own profile",
    title: "even with the right to the column, no one becomes someone else",
    given: ["grant update on public.profiles to authenticated"],
    as: "stranger",
    sql: "update public.profiles set id = gen_random_uuid()",
    answer: "policy",
  },
  {
    proves: "cart_items: customers change their own cart",
    title: "even with the right to the column, no one gives their cart away",
    given: ["grant update on public.cart_items to authenticated"],
    as: "customer",
    sql: "update public.cart_items set user_id = :stranger",
    answer: "policy",
  },
  {
    proves: "orders: customers place their own orders",
    title: "even without the check before it, no one orders for someone else",
    given: without("orders.check_new_order", "orders.fill_new_order"),
    as: "stranger",
    sql: "insert into public.orders (user_id, total_amount, status) values (:customer, 1, 'pending')",
    answer: "policy",
  },
  {
    proves: "user_roles: admins give roles",
    title: "even without the queue before it, no one makes themselves an admin",
    given: without("user_roles.queue_role_writes"),
    as: "stranger",
    sql: "insert into public.user_roles (user_id, role) values (:stranger, 'admin')",
    answer: "policy",
  },
  {
    proves: "user_roles: admins take roles away",
    title: "even without the queue before it, no customer removes a role",
    given: without("user_roles.queue_role_writes"),
    as: "customer",
    sql: "delete from public.user_roles",
    answer: "none",
  },
  {
    proves: "order_items: customers repeat the lines of their own orders",
    title: "even without the check before it, no one writes into another's order",
    given: without("order_items.pass_over_known_line"),
    as: "stranger",
    sql: "insert into public.order_items (order_id, book_id, quantity, price) values (:order, :book, 1, 1)",
    answer: "policy",
  },
  {
    proves: "order_items: customers repeat the lines of their own orders",
    title: "the policy itself allows a customer's own order",
    given: [
      ...without("order_items.pass_over_known_line"),
      "alter table public.order_items alter column title drop not null",
    ],
    as: "customer",
    sql: "insert into public.order_items (order_id, book_id, quantity, price) values (:order, :book, 1, 1)",
    answer: "yes",
  },
  {
    proves: "storage.objects: admins list book covers",
    title: "an admin's rights are limited to the bucket of covers",
    given: anotherBucket,
    as: "admin",
    sql: "select count(*)::int as n from storage.objects where bucket_id = 'private'",
    answer: "none",
  },
  {
    proves: "storage.objects: admins add book covers",
    title: "an admin adds no file to another bucket",
    given: anotherBucket,
    as: "admin",
    sql: "insert into storage.objects (bucket_id, name) values ('private', 'new.jpg')",
    answer: "policy",
  },
  {
    proves: "storage.objects: admins add book covers",
    title: "an admin adds no 121st cover within ten minutes",
    given: [
      "insert into storage.objects (bucket_id, name, owner_id) select 'book-covers', n || '.jpg', :admin from generate_series(1, 120) as n",
    ],
    as: "admin",
    sql: "insert into storage.objects (bucket_id, name) values ('book-covers', 'new.jpg')",
    answer: "too_many_covers",
  },
  {
    proves: "storage.objects: admins add book covers",
    title: "covers of others, and the admin's own of eleven minutes ago, do not count",
    given: [
      "insert into storage.objects (bucket_id, name, owner_id) select 'book-covers', n || '.jpg', :moderator from generate_series(1, 120) as n",
      "insert into storage.objects (bucket_id, name, owner_id, created_at) select 'book-covers', n || '.jpg', :admin, now() - interval '11 minutes' from generate_series(121, 240) as n",
    ],
    as: "admin",
    sql: "insert into storage.objects (bucket_id, name) values ('book-covers', 'new.jpg')",
    answer: "yes",
  },
  {
    proves: "storage.objects: admins replace book covers",
    title: "an admin moves no cover to another bucket",
    given: anotherBucket,
    as: "admin",
    sql: "update storage.objects set bucket_id = 'private', name = 'moved.jpg'",
    answer: "policy",
  },
  {
    proves: "storage.objects: admins delete book covers",
    title: "an admin deletes no file of another bucket",
    given: [...anotherBucket, "delete from storage.objects where bucket_id = 'book-covers'"],
    as: "admin",
    sql: "delete from storage.objects",
    answer: "none",
  },
];

const inPublic = (sql: string) => sql.replace(/^(update|insert into) /, "$1 public.");

export const cases: Case[] = [
  ...triggers,
  ...policies,
  ...constraints.map(
    ([proves, answer, sql]): Case => ({
      proves,
      title: "the constraint alone refuses it",
      as: "database",
      sql: inPublic(sql),
      bare: true,
      answer,
    }),
  ),
  ...foreignKeys.map(
    ([proves, sql]): Case => ({
      proves,
      title: "nothing refers to a missing row",
      as: "database",
      sql: inPublic(sql),
      answer: "23503",
    }),
  ),
];
