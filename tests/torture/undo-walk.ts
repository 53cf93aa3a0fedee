import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ShopServer, startShop } from "#tests/support/shop-server.ts";
import { type Chance, chanceFrom } from "./random.ts";
import {
  type Address,
  type Book,
  type Client,
  newLedger,
  newShopper,
  publishableKey,
  type Shopper,
  signInAdmin,
} from "./shoppers.ts";

export type UndoWalkOptions = {
  seed: number;
  steps: number;
  /** How many of the undos follow a kill of the whole shop. */
  kills: number;
  /** Fills the data folder before the first start. */
  prepare: (dataDir: string) => Promise<void>;
};

/** How often each kind was done and undone, how often it was refused, and how many kills came between. */
export type UndoFigures = { undone: Record<string, number>; refused: number; kills: number };

type Row = Record<string, unknown>;

/** What an undo has to restore, of one order: its rows without the times at which they were written. */
type Snapshot = Record<string, Row[]>;

/** Takes back what a step did. */
type Undo = (by: Client) => Promise<void>;

type Order = { id: string; status: string; total_amount: number; updated_at: string; paid_amount: number };
type Line = { id: string; sold_book_id: string; quantity: number; price: number };

/** What staff are about to do, with chance, to one order. */
type Scene = { admin: Client; order: Order; lines: Line[]; chance: Chance };

type Kind = (scene: Scene) => Promise<Undo | null>;

const today = () => new Date().toISOString().slice(0, 10);

/** The rows of an answer; a shop that has just started again may be busy for a moment. @throws Error with what the shop said */
async function must<Data>(
  what: string,
  answer: PromiseLike<{ data: Data; error: { message: string } | null; status: number }>,
): Promise<Data> {
  for (let patience = 60; ; patience -= 1) {
    // Waiting for it sends it again.
    const { data, error, status } = await answer;
    if (!error) return data;
    if (status < 500 || patience === 0) throw new Error(`${what}: ${error.message}`);
    await pause(500);
  }
}

/** Whether the shop did it; a refusal, such as a status that an order can't have, changes nothing and needs no undo. */
const isDone = ({ error }: { error: unknown }) => error === null;

const STATUSES = ["pending", "processing", "shipped", "delivered", "cancelled"] as const;

const setBack = (id: string, shown: string, status: string): Undo => {
  return async (by) => {
    await must(
      "setting a status back",
      by.rpc("set_back_statuses", { _order_ids: [id], _shown: [shown], _statuses: [status] }),
    );
  };
};

/** Everything that staff do to an order with an Undo in its message or row. */
const kinds: Record<string, Kind> = {
  async "set a status"({ admin, order, chance }) {
    const status = chance.pick(STATUSES.filter((one) => one !== order.status)) ?? "pending";
    const set = await admin
      .from("orders")
      .update({ status })
      .eq("id", order.id)
      .eq("status", order.status)
      .select("id");
    return set.data?.length === 1 ? setBack(order.id, status, order.status) : null;
  },
  async "ship with carrier"({ admin, order }) {
    if (order.status === "shipped") return null;
    const set = await admin.rpc("set_order_statuses", {
      _order_ids: [order.id],
      _shown: [order.status],
      _status: "shipped",
      _shipment: { carrier: "STC", parcel_number: "77", driver_phone: "+233244000111" },
      _steps_back: ["reopen", "set_back", "cancel_sent", "cancel_paid"],
    });
    return set.data?.every(({ problem }) => problem === null)
      ? setBack(order.id, "shipped", order.status)
      : null;
  },
  async "send some copies"({ admin, order, chance }) {
    const left = await must("copies left", admin.rpc("list_copies_to_send", { _order_ids: [order.id] }));
    const id = chance.uuid();
    const lines = (left ?? []).flatMap(({ order_item_id, copies }) => {
      const now = chance.whole(0, copies);
      return now > 0 ? [{ order_item_id, copies: now, left: copies }] : [];
    });
    const sent = await admin.rpc("ship_copies", { _shipment_id: id, _order_id: order.id, _lines: lines });
    if (!isDone(sent)) return null;
    return async (by) => {
      await must("undoing a shipment", by.rpc("undo_shipment", { _shipment_id: id }));
    };
  },
  async "delete the order"({ admin, order }) {
    const gone = await admin.from("orders").delete().eq("id", order.id).select("id");
    if (gone.data?.length !== 1) return null;
    return async (by) => {
      await must("restoring an order", by.rpc("restore_order", { _order_id: order.id }));
    };
  },
  async "return copies"({ admin, order, lines, chance }) {
    const [line] = lines;
    const id = chance.uuid();
    const returned = await admin.rpc("return_copies", {
      _return_id: id,
      _order_id: order.id,
      _lines: [{ order_item_id: line?.id ?? null, copies: chance.whole(1, line?.quantity ?? 1) }],
      _reason: chance.pick(["not_needed", "damaged"]) ?? "other",
    });
    if (!isDone(returned)) return null;
    return async (by) => {
      await must("undoing a return", by.rpc("undo_return", { _return_id: id }));
    };
  },
  async "change quantities"({ admin, order, lines, chance }) {
    const wanted = lines.map(({ quantity }) => Math.max(1, quantity + chance.whole(-1, 2)));
    // What changes nothing is not in the log.
    if (wanted.every((quantity, at) => quantity === lines[at]?.quantity)) return null;
    const total =
      lines.reduce((sum, { price }, at) => sum + Math.round(price * 100) * (wanted[at] ?? 0), 0) / 100;
    const changed = await admin.rpc("change_order", {
      _order_id: order.id,
      _updated_at: order.updated_at,
      _book_ids: lines.map(({ sold_book_id }) => sold_book_id),
      _quantities: wanted,
      _total: total,
    });
    if (!isDone(changed)) return null;
    const [entry] =
      (await must(
        "the log",
        admin
          .from("audit_log")
          .select("id")
          .eq("row_id", order.id)
          .eq("action", "change")
          .order("id", { ascending: false })
          .limit(1),
      )) ?? [];
    // Nothing was changed.
    if (!entry) return null;
    return async (by) => {
      await must("undoing a change", by.rpc("undo_order_change", { _audit_id: entry.id }));
    };
  },
  async "keep what is owed back"({ admin, order }) {
    const [before] =
      (await must("an order", admin.from("orders").select("owed_back, kept_amount").eq("id", order.id))) ??
      [];
    if (!before || Number(before.owed_back) === 0) return null;
    const kept = await admin.rpc("keep_overpayment", {
      _order_id: order.id,
      _amount: Number(before.kept_amount) + Number(before.owed_back),
      _reason: "Agreed by phone",
    });
    if (!isDone(kept)) return null;
    return async (by) => {
      await must(
        "owing again",
        by.rpc("keep_overpayment", {
          _order_id: order.id,
          _amount: Number(before.kept_amount),
          _reason: "Undone",
        }),
      );
    };
  },
};

const without = (rows: Row[] | null, ...names: string[]) =>
  (rows ?? []).map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name))),
  );

/** One order with its lines, returns, shipments and waiting emails, and the books of its lines. */
async function look(admin: Client, orderId: string, bookIds: string[]): Promise<Snapshot> {
  const [orders, lines, books, emails, returns, shipments, payments] = await Promise.all([
    must("orders", admin.from("orders").select("*").eq("id", orderId)),
    must("lines", admin.from("order_items").select("*").eq("order_id", orderId).order("sold_book_id")),
    must(
      "books",
      admin.from("books").select("id, title, price, stock_quantity").in("id", bookIds).order("id"),
    ),
    must(
      "emails",
      admin
        .from("outgoing_emails")
        .select("kind, status, from_status, state")
        .eq("order_id", orderId)
        .in("kind", [
          "order_status_changed",
          "order_cancelled",
          "order_part_shipped",
          "recipient_order_shipped",
          "recipient_order_part_shipped",
        ])
        .eq("state", "waiting")
        // Others leave at once, such as that of a customer who cancels.
        .or("from_status.not.is.null,kind.like.*part_shipped")
        .order("kind"),
    ),
    must(
      "returns",
      admin.from("order_returns").select("id, reason").eq("order_id", orderId).is("undone_at", null),
    ),
    must(
      "shipments",
      admin
        .from("order_shipments")
        .select("id, carrier, order_shipment_lines(order_item_id, copies)")
        .eq("order_id", orderId)
        .is("undone_at", null)
        .order("created_at"),
    ),
    must("payments", admin.from("payments").select("*").eq("order_id", orderId).order("id")),
  ]);
  return {
    orders: without(orders, "updated_at"),
    lines: without(lines, "id", "created_at"),
    books: without(books),
    emails: without(emails),
    returns: without(returns),
    shipments: without(shipments),
    payments: without(payments),
  };
}

/** Fills the cart and orders one to three of the books; null when the shop refuses, for want of copies. */
async function place({ client, id: userId }: Shopper, books: readonly Book[], chance: Chance) {
  const picked = books.filter(() => chance.next() < 0.5).slice(0, 3);
  const lines = (picked.length > 0 ? picked : books.slice(0, 1)).map(({ id, price }) => ({
    book_id: id,
    quantity: chance.whole(1, 4),
    price,
  }));
  await must("emptying the cart", client.from("cart_items").delete().eq("user_id", userId));
  await must(
    "filling the cart",
    client.from("cart_items").insert(lines.map(({ price: _, ...line }) => ({ ...line, user_id: userId }))),
  );
  const id = chance.uuid();
  const total = lines.reduce((sum, { price, quantity }) => sum + Math.round(price * 100) * quantity, 0) / 100;
  const placed = await client
    .from("orders")
    .insert({ id, total_amount: total, user_id: userId, status: "pending", shipping_address: "Accra" })
    .select("id");
  return isDone(placed) ? id : null;
}

/**
 * Two admins and a customer: the customer orders, pays and cancels; one admin does something to an order, meanwhile the customer
 * acts on orders of other books, now and then the whole shop is killed, and then either admin takes it back. Afterwards the order,
 * its stock, sums and unsent emails are what they were.
 * @throws Error that names the seed and what differs
 */
export async function walkWithUndo({ seed, steps, kills, prepare }: UndoWalkOptions): Promise<UndoFigures> {
  const chance = chanceFrom(seed);
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-undo-"));
  const env = { SITE_URL: "http://localhost:3000", DATA_DIR: dataDir, SHOP_DEMO: "0" };
  const figures: UndoFigures = { undone: {}, refused: 0, kills: 0 };
  let shop: ShopServer | null = null;
  try {
    await prepare(dataDir);
    shop = await startShop(env);
    const address: Address = { url: shop.url, dataDir };
    const key = await publishableKey(address);
    const admins = [await signInAdmin(address, key, chance), await signInAdmin(address, key, chance)];
    const [admin = admins[0]] = admins;
    if (!admin) throw new Error("There is no admin");
    // Longer than a start: no email leaves between a step and its undo.
    await must("settings", admin.rpc("update_settings", { _values: { statusEmailSeconds: 600 }, _seen: {} }));
    const shelf = await must(
      "books",
      admin
        .from("books")
        .insert(
          Array.from({ length: 8 }, (_, n) => ({
            title: `Book ${n}`,
            price: chance.whole(100, 9999) / 100,
            stock_quantity: 500,
          })),
        )
        .select("id, price, stock_quantity"),
    );
    const books = (shelf ?? []).map(({ id, price, stock_quantity }) => ({
      id,
      price,
      stock: stock_quantity,
    }));
    // Orders of one half are changed while orders of the other half come in.
    const halves = [books.slice(0, 4), books.slice(4)] as const;
    let customer: Shopper | null = null;
    const orders: [string[], string[]] = [[], []];

    const act = async (half: 0 | 1) => {
      if (!customer || customer.left === 0) customer = await newShopper(address, key, chance, newLedger());
      if (!customer) throw new Error("The customer cannot sign up");
      customer.left -= 1;
      const id = await place(customer, halves[half], chance);
      if (!id) return;
      orders[half].push(id);
      if (chance.next() < 0.2)
        await customer.client.from("orders").update({ status: "cancelled" }).eq("id", id);
      else if (chance.next() < 0.6)
        await admin.rpc("record_payment", {
          _payment_id: chance.uuid(),
          _order_id: id,
          _kind: "payment",
          _method: "cash",
          _amount: chance.whole(1, 20),
          _paid_on: today(),
        });
    };
    await act(0);
    await act(1);

    for (let step = 0; step < steps; step += 1) {
      const half = chance.whole(0, 1) as 0 | 1;
      await act(half);
      const id = chance.pick(orders[half]) ?? "";
      const found = await must("an order", admin.from("orders").select("*").eq("id", id));
      const order = found?.[0];
      if (!order) continue;
      const lines = await must("lines", admin.from("order_items").select("*").eq("order_id", id).order("id"));
      const bookIds = halves[half].map((book) => book.id);
      const before = await look(admin, id, bookIds);
      const scene = { admin, order: order as Order, lines: (lines ?? []) as Line[], chance };
      // Not every order can be returned, sent or kept money of: the first kind that its state allows.
      let name = "";
      let undo: Undo | null = null;
      const left = Object.keys(kinds);
      while (!undo && left.length > 0) {
        name = left.splice(chance.whole(0, left.length - 1), 1)[0] ?? "";
        undo = (await kinds[name]?.(scene)) ?? null;
        if (!undo) figures.refused += 1;
      }
      if (!undo) continue;
      if (chance.next() < 0.3) await act(half === 0 ? 1 : 0);
      if (figures.kills < kills && chance.next() < (2 * kills) / steps) {
        await shop.kill();
        shop = await startShop(env);
        address.url = shop.url;
        figures.kills += 1;
      }
      await undo(chance.pick(admins) ?? admin);
      const after = await look(admin, id, bookIds);
      if (JSON.stringify(after) !== JSON.stringify(before))
        throw new Error(
          `Seed ${seed}, step ${step}: '${name}' of a ${order.status} order was undone to\n${JSON.stringify(after)}\ninstead of\n${JSON.stringify(before)}`,
        );
      figures.undone[name] = (figures.undone[name] ?? 0) + 1;
      // What is left done gives the next steps orders in every state.
      if (chance.next() < 0.5) {
        const [now] = (await must("an order", admin.from("orders").select("*").eq("id", id))) ?? [];
        if (now) await kinds[name]?.({ ...scene, order: now as Order });
      }
    }

    const wrong = await must("the sums of sales", admin.rpc("check_sales"));
    if (wrong !== 0) throw new Error(`Seed ${seed}: ${wrong} sums of sales are wrong`);
    for (const book of books) {
      const moved = await must(
        "movements",
        admin.from("stock_movements").select("quantity").eq("book_id", book.id),
      );
      const [now] =
        (await must("a book", admin.from("books").select("stock_quantity").eq("id", book.id))) ?? [];
      const right = (moved ?? []).reduce((sum, { quantity }) => sum + quantity, book.stock);
      if (now?.stock_quantity !== right)
        throw new Error(`Seed ${seed}: a book has ${now?.stock_quantity} copies, its movements say ${right}`);
    }
    return figures;
  } finally {
    await shop?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
