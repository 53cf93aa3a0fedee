import { randomUUID } from "node:crypto";
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
  const holder = await addCustomer(database);
  const packer = await addCustomer(database);
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
    holder: holder.id,
    packer: packer.id,
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
  await database.query("insert into public.staff_duties (user_id, duty) values ($1, 'orders')", [packer.id]);
  ids.order = await order(database, customer, [[orderedBook, 3]]);
  ids.delivered = await order(database, customer, [[orderedBook, 1]]);
  ids.returned_order = await order(database, customer, [[await addBook(database), 2]]);
  ids.returned_line = await one("select id from public.order_items where order_id = $1", ids.returned_order);
  ids.return = randomUUID();
  ids.sent_order = await order(database, customer, [[await addBook(database), 3]]);
  ids.sent_line = await one("select id from public.order_items where order_id = $1", ids.sent_order);
  ids.shipment = randomUUID();
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
  ids.closing = await one(
    "insert into public.closings (id, day, method, expected, counted) values (gen_random_uuid(), '2026-02-03', 'cash', 0, 0) returning id",
  );
  ids.count = await one(
    "insert into public.stock_counts (id, name, scope) values (gen_random_uuid(), 'A count', 'books') returning id",
  );
  await database.query(
    "insert into public.stock_count_books (count_id, book_id, in_scope, counted, stock_low, stock_high) values ($1, $2, true, 5, 5, 5)",
    [ids.count, book.id],
  );
  ids.scan = await one(
    "insert into public.stock_scans (id, count_id, book_id, round, copies, stock) values (gen_random_uuid(), $1, $2, 1, 5, 5) returning id",
    ids.count,
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
    await query("update public.orders set status = 'delivered' where id = $1", [ids.returned_order]);
    await query("select public.return_copies($1, $2, $3, 'damaged')", [
      ids.return,
      ids.returned_order,
      [{ order_item_id: ids.returned_line, copies: 1 }],
    ]);
    await query("select public.ship_copies($1, $2, $3)", [
      ids.shipment,
      ids.sent_order,
      [{ order_item_id: ids.sent_line, copies: 1 }],
    ]);
    await query("select public.send_quote($1, 1)", [ids.offer]);
    ids.linked_quote = randomUUID();
    await query("select public.begin_quote($1, null, 'A school', 'A teacher', null, '+233201234567', $2)", [
      ids.linked_quote,
      null,
    ]);
    await query(
      "select public.update_quote($1, 1, jsonb_build_array(jsonb_build_object('book_id', $2::uuid, 'quantity', 1, 'unit_price', 9)))",
      [ids.linked_quote, book.id],
    );
    await query("select public.send_quote($1, 2)", [ids.linked_quote]);
    const [link] = await query<{ token: string }>("select public.create_quote_link($1) as token", [
      ids.linked_quote,
    ]);
    ids.quote_token = link?.token;
    await query("select public.issue_invoice($1)", [ids.order]);
    await query(
      "select public.change_order(id, updated_at, array[$2::uuid], '{2}', 60) from public.orders where id = $1",
      [ids.order, orderedBook.id],
    );
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
    ids.supplier = randomUUID();
    ids.unused_supplier = randomUUID();
    ids.purchase = randomUUID();
    ids.purchase_version = "2";
    for (const [id, name] of [
      [ids.supplier, "Longhorn"],
      [ids.unused_supplier, "Unused"],
    ])
      await query("select public.save_supplier($1, $2)", [id, name]);
    await query("select public.create_purchase_order($1, $2)", [ids.purchase, ids.supplier]);
    await query("select public.update_purchase_order($1, 1, $2::jsonb)", [
      ids.purchase,
      [{ book_id: otherBook.id, copies: 10, list_price: 12.5, discount: 30 }],
    ]);
    const sentPurchase = randomUUID();
    const supplierByEmail = randomUUID();
    await query("select public.save_supplier($1, 'By email', _email => 'orders@supplier.example')", [
      supplierByEmail,
    ]);
    await query("select public.create_purchase_order($1, $2)", [sentPurchase, supplierByEmail]);
    await query("select public.update_purchase_order($1, 1, $2::jsonb)", [
      sentPurchase,
      [{ book_id: otherBook.id, copies: 1, list_price: 12.5, discount: 30 }],
    ]);
    await query("select public.send_purchase_order($1, 2)", [sentPurchase]);
    await query("select public.email_purchase_order($1, 3)", [sentPurchase]);
    ids.receipt = randomUUID();
    await query("select public.book_receipt($1, $2::jsonb)", [
      ids.receipt,
      [{ book_id: otherBook.id, copies: 2, damaged: 1 }],
    ]);
    const newConsultation = async (email: string) => {
      const id = randomUUID();
      await query("select public.request_consultation($1, 'A teacher', 'Phonics', $2)", [id, email]);
      return id;
    };
    ids.fresh_email = "fresh@school.example";
    ids.consultation = await newConsultation("teacher@school.example");
    ids.closed_consultation = await newConsultation("other@school.example");
    ids.dated_consultation = await newConsultation("dated@school.example");
    await query("select public.date_consultation($1, 1, clock_timestamp() + interval '1 day', 'phone')", [
      ids.dated_consultation,
    ]);
    ids.consultation_answer = randomUUID();
    await query("select public.answer_consultation($1, 1, $2, 'Gladly')", [
      ids.consultation,
      ids.consultation_answer,
    ]);
    await query("select public.close_consultation($1, 1, 'Done')", [ids.closed_consultation]);
    const newEvent = async (title: string) => {
      const id = randomUUID();
      await query(
        "select public.save_event($1, $2, 'training', 'Osu', now() + interval '7 days', now() + interval '8 days', 5)",
        [id, title],
      );
      return id;
    };
    ids.event = await newEvent("A training");
    ids.event_slug = "a-training";
    ids.draft_event = await newEvent("A draft");
    await query(
      "select public.set_event_state(id, 'published', updated_at) from public.events where id = $1",
      [ids.event],
    );
    ids.registration = randomUUID();
    await query("select public.add_event_registration($1, $2, 'Ama Mensah', 'ama@school.example')", [
      ids.registration,
      ids.event,
    ]);
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
  ids.number = await one("select number as id from public.orders where id = $1", ids.delivered);
  ids.draft_event_version = await one(
    "select to_json(updated_at) #>> '{}' as id from public.events where id = $1",
    ids.draft_event,
  );
  ids.subscriber = await one(
    "insert into public.event_subscribers (email, confirmed_at) values ('news@school.example', now()) returning id",
  );
  [ids.soon, ids.later] = [7, 8].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
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
  ids.purchase_email = await one(
    "update public.outgoing_emails set state = 'sent', settled_at = now() where kind = 'purchase_order_sent' returning id",
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
  ids.changed_order = await one("select id from public.audit_log where action = 'change'");
  ids.gone_book = await one(archived, goneBook.id);
  ids.gone_review = await one(archived, goneReview);
  ids.gone_publisher = await one(archived, ids.gone_publisher_row);
  // Of the settings that are changed there, none was before.
  ids.seen_settings = "{}";
  await database.query(
    "insert into storage.objects (bucket_id, name) values ('book-covers', 'cover.jpg'), ('book-covers', 'event-picture-1764200000001.jpg')",
  );
  await database.query(
    "insert into storage.objects (bucket_id, name) values ('digital-files', '00000000-0000-4000-8000-0000000000d1/0001')",
  );
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
