import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { DUTIES, type Duty } from "#app/features/session/duties.ts";
import type { CallerName } from "#tests/rights/people.ts";
import { quotedBook } from "#tests/rights/world.ts";
import { addBook, dataOf, type Member } from "#tests/support/factories.ts";
import { consultationRenewals } from "./matrix-consultations.ts";
import { eventRenewals } from "./matrix-events.ts";
import { goodsRenewals } from "./matrix-goods.ts";
import { newAdmin, newCustomer, type Target } from "./target.ts";

/** The matrix is asked in its own words, which the generated types cannot follow. */
export type AnyClient = SupabaseClient;

export type ApiWorld = {
  clients: Record<CallerName, AnyClient>;
  /** The rows behind ":name", as in the world of the database's own tests. */
  ids: Record<string, string>;
  /** Makes a row anew that the last question may have used up; what it makes by name of table or function. */
  renew: Record<string, () => Promise<void>>;
  /** Their ids, all of which staff must name to order them. */
  listPublishers: () => Promise<string[]>;
  /** Gives the holder these duties and no others. */
  giveDuties: (duties: readonly Duty[]) => Promise<void>;
};

/** The world of tests/rights/world.ts, made through the API alone; reviews are those of the demo catalogue. */
export async function makeApiWorld(target: Target): Promise<ApiWorld> {
  const [customer, stranger, moderator] = [
    await newCustomer(target),
    await newCustomer(target),
    await newCustomer(target),
  ];
  const admin = await newAdmin(target);
  const [holder, packer] = [await newCustomer(target), await newCustomer(target)];
  const clients: ApiWorld["clients"] = {
    visitor: target.client() as AnyClient,
    customer: customer.client as AnyClient,
    stranger: stranger.client as AnyClient,
    moderator: moderator.client as AnyClient,
    admin: admin.client as AnyClient,
    holder: holder.client as AnyClient,
    packer: packer.client as AnyClient,
    key: target.owner as AnyClient,
  };
  const ids: ApiWorld["ids"] = { customer: customer.id, stranger: stranger.id, packer: packer.id };
  const { key, customer: customerClient, admin: staff } = clients;
  await dataOf(key.from("user_roles").insert({ user_id: moderator.id, role: "moderator" }).select());

  await dataOf(key.rpc("change_duties", { _user_id: packer.id, _give: ["orders"] }));
  const giveDuties = async (duties: readonly Duty[]) => {
    const take = DUTIES.filter((duty) => !duties.includes(duty));
    await dataOf(key.rpc("change_duties", { _user_id: holder.id, _give: duties, _take: take }));
  };

  const put = async (bookId: string | undefined, quantity: number, { id, client }: Member = customer) => {
    await client.from("cart_items").delete().eq("user_id", id);
    const line = await dataOf(
      (client as AnyClient).rpc("add_to_cart", { _book_id: bookId, _quantity: quantity }),
    );
    return String((line as { id: string }).id);
  };
  const newId = async (values: object) => (await addBook(target.owner, values)).id;
  const placeOrder = async (by = customer) => {
    await put(ids.ordered_book, 2, by);
    const order = { id: randomUUID(), user_id: by.id, total_amount: 60, status: "pending" };
    await dataOf((by.client as AnyClient).from("orders").insert(order).select());
    return order.id;
  };
  /** An order of another customer, because orders per customer and hour are limited. */
  const placeOther = async () => placeOrder(await newCustomer(target));
  const archivedAs = async (table: string, id: string) =>
    (
      await dataOf(
        staff
          .from("audit_log")
          .select("id")
          .eq("table_name", table)
          .eq("row_id", id)
          .eq("action", "delete")
          .order("id", { ascending: false })
          .limit(1)
          .single(),
      )
    ).id;
  const newImport = async () => {
    const id = await dataOf(staff.rpc("create_book_import", { _default_price: 5 }));
    const rows = [{ line: 2, title: `Imported ${randomUUID()}` }];
    await dataOf(staff.rpc("stage_book_import_rows", { _import_id: id, _rows: rows }));
    return String(id);
  };

  const newOrderToReturn = async () => {
    ids.order = await placeOrder();
    await dataOf(customerClient.rpc("issue_invoice", { _order_id: ids.order }));
    const note = { _note_id: randomUUID(), _order_id: ids.order, _body: "Call first" };
    const { error } = await staff.rpc("add_order_note", note);
    if (error) throw error;
  };
  const newOrder = async () => {
    await newOrderToReturn();
    await put(ids.book, 1);
  };

  const newQuote = async () => {
    await put(ids.book, 1);
    const quote = {
      _quote_id: randomUUID(),
      _institution: "A school",
      _contact_name: "A teacher",
      _contact_email: "teacher@school.example",
      _contact_phone: "+233201234567",
    };
    return String(await dataOf(customerClient.rpc("request_quote", quote)));
  };
  const newDraft = async () => {
    ids.quote = await newQuote();
  };
  const newOffer = async () => {
    ids.offer = await newQuote();
    await dataOf(staff.rpc("send_quote", { _quote_id: ids.offer, _version: 1 }));
  };

  const findReview = async () => {
    ids.review = (await dataOf(staff.from("reviews").select("id").limit(1).single())).id;
  };

  const listPublishers = async () =>
    (await dataOf(key.from("publishers").select("id"))).map(({ id }: { id: string }) => id);
  const newPublisher = async (name: string) => {
    const publisher = { name, slug: name.toLowerCase() };
    return (await dataOf(staff.rpc("save_publisher", { _id: randomUUID(), _publisher: publisher }))).id;
  };

  const renew: ApiWorld["renew"] = {
    books: async () => {
      ids.book = await newId({ price: 45.5 });
    },
    user_roles: async () =>
      void (await dataOf(key.from("user_roles").insert({ user_id: customer.id, role: "user" }).select())),
    cart_items: async () => {
      ids.line = await put(ids.book, 1);
      ids.other_book = await newId({ price: 20 });
    },
    wishlists: async () => {
      await customerClient.from("wishlists").delete().eq("user_id", customer.id);
      const wish = { user_id: customer.id, book_id: ids.book };
      ids.wish = (await dataOf(customerClient.from("wishlists").insert(wish).select("id").single())).id;
      ids.other_book = await newId({ price: 20 });
    },
    stock_alerts: async () => {
      ids.sold_out_book = await newId({ stock_quantity: 0 });
      await dataOf(customerClient.from("stock_alerts").delete().eq("user_id", customer.id).select());
      await customerClient.rpc("request_stock_alert", { _book_id: ids.sold_out_book });
      ids.alert = (await dataOf(customerClient.from("stock_alerts").select("id").single())).id;
    },
    orders: newOrder,
    order_again: newOrder,
    undo_order_change: async () => {
      const { updated_at } = await dataOf(
        staff.from("orders").select("updated_at").eq("id", ids.order).single(),
      );
      const change = {
        _order_id: ids.order,
        _updated_at: updated_at,
        _book_ids: [ids.ordered_book],
        _quantities: [1],
        _total: 30,
      };
      const { error } = await staff.rpc("change_order", change);
      if (error) throw error;
      const changes = staff.from("audit_log").select("id").eq("row_id", ids.order).eq("action", "change");
      const latest = changes.order("id", { ascending: false }).limit(1).single();
      ids.changed_order = (await dataOf(latest)).id;
    },
    save_publisher: async () => {
      await key.from("publishers").delete().eq("slug", "adom");
    },
    restore_publisher: async () => {
      const id = await newPublisher(`Gone${randomUUID().slice(0, 8)}`);
      await staff.from("publishers").delete().eq("id", id);
      ids.gone_publisher = await archivedAs("publishers", id);
    },
    update_settings: async () => {
      const settings = await dataOf(staff.from("shop_settings").select("id, updated_at"));
      ids.seen_settings = JSON.stringify(
        Object.fromEntries(settings.map(({ id, updated_at }: Record<string, string>) => [id, updated_at])),
      );
    },
    reviews: findReview,
    moderate_review: findReview,
    request_quote: async () => {
      await put(ids.book, 1);
    },
    accept_quote: newOffer,
    decline_quote: newOffer,
    update_quote: newDraft,
    send_quote: newDraft,
    withdraw_quote: newDraft,
    return_to_stock: newOrderToReturn,
    restore_book: async () => {
      const id = await newId({});
      await staff.from("books").delete().eq("id", id);
      ids.gone_book = await archivedAs("books", id);
    },
    restore_order: async () => {
      ids.gone_order = await placeOther();
      await staff.from("orders").delete().eq("id", ids.gone_order);
    },
    restore_review: async () => {
      const { id } = await dataOf(staff.from("reviews").select("id").limit(1).single());
      await staff.from("reviews").delete().eq("id", id);
      ids.gone_review = await archivedAs("reviews", id);
    },
    resend_email: async () => {
      const emails = staff
        .from("outgoing_emails")
        .select("id")
        .eq("order_id", await placeOther());
      // The one to the shop.
      ids.email = (await dataOf(emails.eq("kind", "new_order").single())).id;
      await key.rpc("record_sent_email", { _email_id: ids.email });
      await renew.purchase_email?.();
    },
    apply_book_import: async () => {
      ids.import = await newImport();
    },
    undo_book_import: async () => {
      ids.applied_import = await newImport();
      await dataOf(staff.rpc("apply_book_import", { _import_id: ids.applied_import }));
    },
  };
  Object.assign(
    renew,
    booklistRenewals(staff, ids),
    paymentRenewals(key, staff, ids, placeOther),
    goodsRenewals(staff, key, ids),
    eventRenewals(staff, ids),
    consultationRenewals(staff, key, ids),
  );
  ids.publisher = await newPublisher("Sedco");
  ids.ordered_book = await newId({ price: 30, stock_quantity: 1_000 });
  ids.other_book = await newId({ price: 20 });
  await newId({ id: quotedBook });
  for (const make of Object.values(renew)) await make();
  ids.import = await newImport();
  ids.delivered = await placeOrder();
  await dataOf(staff.from("orders").update({ status: "delivered" }).eq("id", ids.delivered).select());
  const { number } = await dataOf(staff.from("orders").select("number").eq("id", ids.delivered).single());
  ids.number = String(number);
  return { clients, ids, renew, listPublishers, giveDuties };
}

/** A payment by hand, one through Paystack, and one that needs a decision; of two orders, because a customer may place few. */
function paymentRenewals(
  key: AnyClient,
  staff: AnyClient,
  ids: ApiWorld["ids"],
  placeOrder: () => Promise<string>,
): ApiWorld["renew"] {
  const once = (make: () => Promise<string>) => {
    let made: Promise<string> | null = null;
    return () => {
      made ??= make();
      return made;
    };
  };
  const online = async (orderId: string, amount: number) => {
    const opened = await dataOf(key.rpc("open_payment", { _order_id: orderId }));
    const { id, reference } = opened as { id: string; reference: string };
    const paid = {
      _reference: reference,
      _outcome: "success",
      _amount: amount,
      _currency: "GHS",
      _provider_id: "1",
    };
    await dataOf(key.rpc("settle_payment", paid));
    return id;
  };
  const debt = once(placeOrder);
  const paid = once(async () => online(await placeOrder(), 60));
  const byHand = async () => {
    ids.payment = randomUUID();
    const payment = { _payment_id: ids.payment, _kind: "payment", _method: "cash", _amount: 1 };
    await dataOf(
      staff.rpc("record_payment", { ...payment, _order_id: await debt(), _paid_on: "2026-01-01" }),
    );
  };
  return {
    payments: byHand,
    correct_payment: byHand,
    refund_payment: async () => {
      ids.online_payment = await paid();
    },
    decide_payment: async () => {
      const decided = { _payment_id: ids.doubtful_payment, _decision: "set_aside", _note: "Asked before" };
      if (ids.doubtful_payment) await staff.rpc("decide_payment", decided);
      ids.doubtful_payment = await online(await debt(), 0.5);
    },
  };
}

/** A published list, and a draft to delete. */
function booklistRenewals(staff: AnyClient, ids: ApiWorld["ids"]): ApiWorld["renew"] {
  type Saved = { id: string; code: string; updated_at: string };
  const newList = async (lines: object[]) => {
    const list = { _school: "A school", _class_name: "Class 1", _school_year: "2026/2027", _lines: lines };
    return (await dataOf(staff.rpc("save_booklist", list))) as Saved;
  };
  const publish = async () => {
    const draft = await newList([{ title: "A ruler" }]);
    const version = { _id: draft.id, _updated_at: draft.updated_at, _status: "published" };
    const list = (await dataOf(staff.rpc("set_booklist_status", version))) as Saved;
    Object.assign(ids, { booklist: list.id, booklist_code: list.code, booklist_version: list.updated_at });
    ids.booklist_line = (
      await dataOf(staff.from("booklist_lines").select("id").eq("booklist_id", list.id).single())
    ).id;
  };
  return {
    booklists: publish,
    set_booklist_status: publish,
    delete_booklist: async () => {
      const draft = await newList([]);
      Object.assign(ids, { draft: draft.id, draft_version: draft.updated_at });
    },
  };
}
