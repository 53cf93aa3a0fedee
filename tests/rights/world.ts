import type { Database } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, fillCart, order } from "#tests/support/database-factories.ts";
import { requestQuote } from "#tests/support/quotes.ts";

/** The book that the matrix's call of update_quote names inside of JSON. */
export const quotedBook = "00000000-0000-4000-8000-0000000000b0";

/** The rows that the matrix asks about, by name: what ":order" refers to, and so on. */
export type World = Record<string, string>;

/**
 * A shop with one of everything: the customer has a role, a cart, a wish, orders, quotes and a review; a book, an order and a
 * review are deleted; one import is staged, one applied; one email has been sent; the delivered order has payments.
 */
export async function makeWorld(database: Database): Promise<World> {
  const customer = await addCustomer(database);
  const stranger = await addCustomer(database);
  const moderator = await addStaff(database, "moderator");
  const admin = await addStaff(database, "admin");
  const cambridge = { publisher: "Cambridge University Press", grade_level: "Primary", stock: 5 };
  const book = await addBook(database, { ...cambridge, price: 45.5 });
  const otherBook = await addBook(database, { price: 20 });
  const orderedBook = await addBook(database, { price: 30 });
  const soldOutBook = await addBook(database, { stock: 0 });
  const goneBook = await addBook(database);
  await addBook(database, { id: quotedBook });

  const ids: Record<string, string | undefined> = {
    customer: customer.id,
    stranger: stranger.id,
    moderator: moderator.id,
    admin: admin.id,
    book: book.id,
    other_book: otherBook.id,
    ordered_book: orderedBook.id,
    sold_out_book: soldOutBook.id,
  };
  const one = async (sql: string, ...parameters: unknown[]) => {
    const [row] = await database.query<{ id: string | number }>(sql, parameters);
    return String(row?.id);
  };

  await database.query("insert into public.user_roles (user_id, role) values ($1, 'user')", [customer.id]);
  ids.order = await order(database, customer, [[orderedBook, 2]]);
  ids.delivered = await order(database, customer, [[orderedBook, 1]]);
  const goneOrder = await order(database, customer, [[orderedBook, 1]]);
  ids.gone_order = goneOrder;
  await fillCart(database, customer, [[book, 1]]);
  ids.line = await one("select id from public.cart_items where user_id = $1", customer.id);
  ids.quote = await requestQuote(database, customer);
  ids.offer = await requestQuote(database, customer);
  ids.wish = await one(
    "insert into public.wishlists (user_id, book_id) values ($1, $2) returning id",
    customer.id,
    book.id,
  );
  ids.alert = await one(
    "insert into public.stock_alerts (user_id, book_id) values ($1, $2) returning id",
    customer.id,
    soldOutBook.id,
  );
  const review =
    "insert into public.reviews (book_id, user_id, rating, review_text) values ($1, $2, 4, 'Good') returning id";
  ids.review = await one(review, book.id, customer.id);
  const goneReview = await one(review, book.id, stranger.id);

  await database.as(admin, async (query) => {
    await query("update public.orders set status = 'delivered' where id = $1", [ids.delivered]);
    await query("select public.send_quote($1, 1)", [ids.offer]);
    await query("select public.issue_invoice($1)", [ids.order]);
    await query("select public.add_order_note(gen_random_uuid(), $1, 'Call first')", [ids.order]);
    await query("delete from public.books where id = $1", [goneBook.id]);
    await query("delete from public.orders where id = $1", [goneOrder]);
    await query("delete from public.reviews where id = $1", [goneReview]);
    const newImport = async (title: string) => {
      const [made] = await query<{ id: string }>(
        "select public.create_book_import(_default_price => 5) as id",
      );
      await query("select public.stage_book_import_rows($1, $2::jsonb)", [made?.id, [{ line: 2, title }]]);
      return made?.id;
    };
    ids.applied_import = await newImport("Applied");
    await query("select public.apply_book_import($1)", [ids.applied_import]);
    ids.import = await newImport("Staged");
    const newPublisher = async (name: string) => {
      const [made] = await query<{ id: string }>(
        "select id from public.save_publisher(gen_random_uuid(), jsonb_build_object('name', $1::text, 'slug', lower($1::text)))",
        [name],
      );
      return made?.id;
    };
    ids.publisher = await newPublisher("Sedco");
    ids.gone_publisher_row = await newPublisher("Gone");
    await query("delete from public.publishers where id = $1", [ids.gone_publisher_row]);
    const newBooklist = async (lines: object[]) => {
      const [made] = await query<{ id: string; code: string }>(
        "select id, code from public.save_booklist('A school', 'Class 1', '2026/2027', $1::jsonb)",
        [lines],
      );
      return { id: "", code: "", ...made };
    };
    const list = await newBooklist([
      { book_id: otherBook.id, copies: 2, note: "A note" },
      { title: "A ruler" },
    ]);
    await query(
      "select public.set_booklist_status(id, updated_at, 'published') from public.booklists where id = $1",
      [list.id],
    );
    ids.booklist = list.id;
    ids.booklist_code = list.code;
    ids.draft = (await newBooklist([])).id;
  });
  const version = "select to_json(updated_at) #>> '{}' as id from public.booklists where id = $1";
  ids.booklist_version = await one(version, ids.booklist);
  ids.draft_version = await one(version, ids.draft);
  ids.booklist_line = await one(
    "select id from public.booklist_lines where booklist_id = $1 and position = 1",
    ids.booklist,
  );
  ids.email = await one(
    `update public.outgoing_emails set state = 'sent', settled_at = now()
      where order_id = $1 and kind = 'order_placed' returning id`,
    ids.delivered,
  );
  const payment = `insert into public.payments (order_id, user_id, kind, method, amount, reference, state, reason, received_amount,
      received_currency, paid_on, settled_at)
    values ($1, $2, 'payment', $3, 10, $4, $5, $6, 10, 'GHS', current_date, case $5 when 'settled' then now() end) returning id`;
  const pay = (method: string, reference: string | null, state = "settled", reason: string | null = null) =>
    one(payment, ids.delivered, ids.customer, method, reference, state, reason);
  ids.payment = await pay("cash", null);
  ids.online_payment = await pay("paystack", "1-0000000000000001");
  ids.doubtful_payment = await pay("paystack", "1-0000000000000002", "needs_decision", "more_than_due");
  const archived = "select id from public.audit_log where action = 'delete' and row_id = $1";
  ids.gone_book = await one(archived, goneBook.id);
  ids.gone_review = await one(archived, goneReview);
  ids.gone_publisher = await one(archived, ids.gone_publisher_row);
  // Of the settings that are changed there, none was before.
  ids.seen_settings = "{}";
  await database.query("insert into storage.objects (bucket_id, name) values ('book-covers', 'cover.jpg')");
  await database.query(
    `insert into public.shop_settings (id, value) values ('name', '"Kente Books"'), ('ownerEmail', '"owner@shop.example"')`,
  );

  await database.query("insert into public.terms_versions (terms) values ('The terms')");

  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)]));
}

/** The statement with the world's rows in place of their names, as SQL literals. */
export function nameRows(sql: string, world: World): string {
  return sql.replace(/(?<![:\w]):([a-z_]+)\b/g, (place, name: string) => {
    const id = world[name];
    if (id === undefined) throw new Error(`The world has no ${place}`);
    return `'${id}'`;
  });
}
