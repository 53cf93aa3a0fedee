import type { Database, Query } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff } from "#tests/support/database-factories.ts";
import type { SignedIn } from "#tests/support/people.ts";
import { emailSteps, emailTables } from "./email-steps.ts";
import { findBrokenInvariants } from "./invariants.ts";
import { adminPaymentSteps, customerPaymentSteps } from "./payment-steps.ts";
import { type Chance, chanceFrom } from "./random.ts";

export type JourneyOptions = {
  seed: number;
  steps: number;
  /**
   * Kinds of step that must all have been done: until then further rounds follow, up to five times the steps, because
   * concurrency, not the seed, decides which step is refused.
   */
  kinds?: readonly string[];
  customers?: number;
  admins?: number;
  books?: number;
};

export type JourneyFigures = {
  steps: number;
  rounds: number;
  /** How often each kind of step was done, and how often it was refused with which code. */
  done: Record<string, number>;
  refused: Record<string, number>;
};

const STEPS_PER_ROUND = 500;
const EMAIL_WORKERS = 2;

/** Answers that a shop under such load gives rightly; anything else is a fault of the shop. */
const expectedCodes = /^(PT4\d\d|23505|23503|42501)$/;

const statuses = ["pending", "processing", "shipped", "delivered", "cancelled"];

/**
 * Customers and admins who do random things concurrently: add, change, order, cancel; flip a status, delete, restore, edit
 * price and stock. Each person does one thing after the other, all people at the same time; after each round the
 * shop must be in order. The seed decides what each of them tries.
 * @throws Error that names the seed, the round and what was broken
 */
export async function runJourneys(database: Database, options: JourneyOptions): Promise<JourneyFigures> {
  const { seed, steps, kinds = [], customers = 12, admins = 3, books = 25 } = options;
  const chance = chanceFrom(seed);
  await database.run(`
    create schema if not exists torture;
    create table if not exists torture.starting_stock (book_id uuid primary key, stock int not null);${emailTables}`);
  const shelf: string[] = [];
  for (let n = 0; n < books; n++)
    shelf.push(
      n % 5 === 1
        ? await newDigitalTitle(database, chance, n % 2 === 0 ? "file" : "code")
        : await newBook(database, chance),
    );
  const people: { person: SignedIn; chance: Chance; kind: Kind }[] = [];
  const join = async (kind: Kind) => {
    const person = kind === "customer" ? await addCustomer(database) : await addStaff(database, "admin");
    people.push({ person, kind, chance: chanceFrom(chance.whole(0, 2 ** 31)) });
  };
  for (let n = 0; n < customers; n++) await join("customer");
  for (let n = 0; n < admins; n++) await join("admin");
  for (let n = 0; n < EMAIL_WORKERS; n++) await join("emails");

  const figures: JourneyFigures = { steps: 0, rounds: 0, done: {}, refused: {} };
  const world: World = { database, shelf, count: (kind, code) => count(figures, kind, code) };
  const isMissing = () => kinds.some((kind) => !figures.done[kind]);
  while (figures.steps < steps || (figures.steps < 5 * steps && isMissing())) {
    // What workers do comes on top.
    const counted = customers + admins;
    const left = steps > figures.steps ? steps - figures.steps : STEPS_PER_ROUND;
    const each = Math.ceil(Math.min(STEPS_PER_ROUND, left) / counted);
    await Promise.all(
      people.map(async ({ person, chance, kind }) => {
        for (let step = 0; step < each; step++) await takeStep(world, person, chance, kind);
      }),
    );
    figures.steps += each * counted;
    figures.rounds += 1;
    const broken = await findBrokenInvariants(database);
    if (broken.length > 0) throw new Error(`Seed ${seed}, round ${figures.rounds}:\n${broken.join("\n")}`);
    // The limits on orders and payments per hour, pending orders, and quotes per day, are proven elsewhere; here they would end the journeys.
    await database.query("update public.orders set created_at = created_at - interval '2 hours'");
    await database.query("update public.payments set created_at = created_at - interval '2 hours'");
    // Without a new version, which would be a quote that no one has been sent.
    await database.run(`
      alter table public.quotes disable trigger stamp_quote;
      update public.quotes set created_at = created_at - interval '2 days';
      alter table public.quotes enable trigger stamp_quote;`);
  }
  return figures;
}

type World = { database: Database; shelf: string[]; count: (kind: string, code: string | null) => void };
type Step = (query: Query, chance: Chance, world: World, person: SignedIn) => Promise<unknown>;

const anyCartLine = "select id, book_id from public.cart_items order by random() limit 1";
const anyCodeTitle = "select id from public.books where digital_by = 'code' order by random() limit 1";
const anyOrder = "select id, status from public.orders order by random() limit 1";

const anyQuote = "select id, version from public.quotes order by status = 'sent' desc, random() limit 1";

const anyBooklist = "select id, code, updated_at from public.booklists order by random() limit 1";
const schoolOf = (chance: Chance) => `School ${chance.whole(1, 3)}`;
const linesOf = (chance: Chance, shelf: string[]) =>
  [...new Set([chance.pick(shelf), chance.pick(shelf), chance.pick(shelf)])].map((book_id) => ({
    book_id,
    copies: chance.whole(1, 2),
  }));

const customerSteps: [weight: number, name: string, step: Step][] = [
  [
    30,
    "add to cart",
    (query, chance, { shelf }) =>
      query("select public.add_to_cart($1, $2)", [chance.pick(shelf), chance.whole(1, 4)]),
  ],
  [
    6,
    "add a booklist to the cart",
    async (query, chance, { database }) => {
      const [list] = await database.query<{ code: string; lines: string[] }>(
        `select b.code, array(select l.id from public.booklist_lines l where l.booklist_id = b.id) as lines
           from public.booklists b order by b.status = 'published' desc, random() limit 1`,
      );
      await query("select public.add_booklist_to_cart($1, $2::uuid[], $3)", [
        list?.code ?? "0000000000",
        list?.lines ?? [],
        chance.whole(1, 3),
      ]);
    },
  ],
  [
    4,
    "order in bulk",
    (query, chance, { shelf }) =>
      query("select public.add_books_to_cart($1::uuid[], array[2, 3])", [
        [chance.pick(shelf), chance.pick(shelf)],
      ]),
  ],
  [
    8,
    "change quantity",
    async (query, chance) => {
      const [line] = await query<{ id: string }>(anyCartLine);
      await query("update public.cart_items set quantity = $2 where id = $1", [
        line?.id ?? null,
        chance.whole(1, 6),
      ]);
    },
  ],
  [
    5,
    "remove a line",
    (query) => query(`delete from public.cart_items where id in (select id from (${anyCartLine}) as line)`),
  ],
  [
    22,
    "order",
    async (query, chance, _world, person) => {
      const [cart] = await query<{ total: string | null }>(
        "select sum(b.price * c.quantity)::text as total from public.cart_items c join public.books b on b.id = c.book_id",
      );
      await query(
        "insert into public.orders (id, user_id, total_amount, status, shipping_address) values ($1, $2, $3, 'pending', 'Accra')",
        [chance.uuid(), person.id, cart?.total ?? 0],
      );
    },
  ],
  [
    8,
    "cancel",
    async (query) => {
      const [order] = await query<{ id: string }>(anyOrder);
      await query("update public.orders set status = 'cancelled' where id = $1", [order?.id ?? null]);
    },
  ],
  [
    2,
    "try to deliver one's own order",
    async (query) => {
      const [order] = await query<{ id: string }>(anyOrder);
      await query("update public.orders set status = 'delivered' where id = $1", [order?.id ?? null]);
    },
  ],
  [
    8,
    "request a quote",
    (query, chance) =>
      query(
        "select public.request_quote($1, 'A school', 'A teacher', 'teacher@school.example', '+233201234567')",
        [chance.uuid()],
      ),
  ],
  [
    14,
    "accept a quote",
    async (query, chance) => {
      const [quote] = await query<{ id: string; version: number }>(anyQuote);
      // Two clicks at once, and now and then of an old page.
      await query(
        `select public.accept_quote($1, $2, 'PO', '{"shipping_address": "Accra", "recipient_name": "A teacher"}')`,
        [quote?.id ?? null, (quote?.version ?? 0) - (chance.whole(0, 9) === 0 ? 1 : 0)],
      );
    },
  ],
  [
    1,
    "decline a quote",
    async (query) => {
      const [quote] = await query<{ id: string }>(anyQuote);
      await query("select public.decline_quote($1)", [quote?.id ?? null]);
    },
  ],
  ...customerPaymentSteps,
  [
    4,
    "order again",
    async (query) => {
      const [order] = await query<{ id: string }>(anyOrder);
      await query("select public.order_again($1)", [order?.id ?? null]);
    },
  ],
  [
    8,
    "open an invoice",
    async (query) => {
      const [order] = await query<{ id: string }>(anyOrder);
      await query("select public.issue_invoice($1)", [order?.id ?? null]);
    },
  ],
  [2, "try to delete an order", (query) => query("delete from public.orders")],
  [2, "try to change stock", (query) => query("update public.books set stock_quantity = 9999")],
];

const adminSteps: typeof customerSteps = [
  [
    6,
    "set the status of several orders",
    (query, chance) =>
      query(
        `select public.set_order_statuses(array_agg(id), array_agg(status), $1)
           from (select id, status from public.orders order by random() limit 5) as few`,
        [chance.pick(statuses)],
      ),
  ],
  [
    6,
    "enter an order from the phone",
    async (query, chance, { shelf, database }, person) => {
      const bookId = chance.pick(shelf);
      const [book] = await database.query<{ total: string }>(
        "select (price * 2)::text as total from public.books where id = $1",
        [bookId],
      );
      await query(
        `select public.place_order_for($1, $2, array[$3]::uuid[], array[2], $4,
           '{"shipping_address": "Accra", "recipient_name": "A caller", "recipient_phone": "0244123456"}')`,
        [chance.uuid(), person.id, bookId, book?.total ?? 0],
      );
    },
  ],
  [
    30,
    "set a status",
    async (query, chance) => {
      const [order] = await query<{ id: string }>(anyOrder);
      await query("update public.orders set status = $2 where id = $1", [
        order?.id ?? null,
        chance.pick(statuses),
      ]);
    },
  ],
  ...adminPaymentSteps,
  [
    6,
    "delete an order",
    async (query) => {
      const [order] = await query<{ id: string }>(anyOrder);
      await query("delete from public.order_items where order_id = $1", [order?.id ?? null]);
      await query("delete from public.orders where id = $1", [order?.id ?? null]);
    },
  ],
  [
    6,
    "restore an order",
    async (query) => {
      const [deleted] = await query<{ row_id: string }>(
        "select row_id from public.audit_log where table_name = 'orders' and action = 'delete' order by random() limit 1",
      );
      await query("select public.restore_order($1)", [deleted?.row_id ?? null]);
    },
  ],
  [
    4,
    "return to stock",
    async (query) => {
      const [order] = await query<{ id: string }>(anyOrder);
      await query("select public.return_to_stock($1)", [order?.id ?? null]);
    },
  ],
  [
    14,
    "edit stock",
    (query, chance, { shelf }) =>
      query("update public.books set stock_quantity = $2 where id = $1", [
        chance.pick(shelf),
        chance.whole(0, 30),
      ]),
  ],
  [
    4,
    "add licence codes",
    async (query, chance) => {
      const [title] = await query<{ id: string }>(anyCodeTitle);
      await query("select public.add_licence_codes($1, array[$2])", [title?.id ?? null, chance.uuid()]);
    },
  ],
  [
    1,
    "withdraw free codes",
    async (query) => {
      const [title] = await query<{ id: string }>(anyCodeTitle);
      await query("select public.withdraw_free_codes($1)", [title?.id ?? null]);
    },
  ],
  [
    8,
    "edit price",
    (query, chance, { shelf }) =>
      query("update public.books set price = $2 where id = $1", [
        chance.pick(shelf),
        chance.whole(0, 9999) / 100,
      ]),
  ],
  [
    6,
    "change a quote",
    async (query, chance, { shelf }) => {
      const [quote] = await query<{ id: string; version: number }>(anyQuote);
      const books = [...new Set([chance.pick(shelf), chance.pick(shelf)])];
      const lines = books.map((book_id) => ({
        book_id,
        quantity: chance.whole(1, 4),
        unit_price: chance.whole(0, 999) / 100,
      }));
      await query("select public.update_quote($1, $2, $3::jsonb)", [
        quote?.id ?? null,
        quote?.version ?? null,
        lines,
      ]);
    },
  ],
  [
    16,
    "send a quote",
    async (query) => {
      const [quote] = await query<{ id: string; version: number }>(
        "select id, version from public.quotes where status = 'requested' order by random() limit 1",
      );
      await query("select public.send_quote($1, $2)", [quote?.id ?? null, quote?.version ?? null]);
    },
  ],
  [
    1,
    "withdraw a quote",
    async (query) => {
      const [quote] = await query<{ id: string; version: number }>(anyQuote);
      await query("select public.withdraw_quote($1, $2)", [quote?.id ?? null, quote?.version ?? null]);
    },
  ],
  [
    5,
    "save a booklist",
    async (query, chance, { shelf }) => {
      const [list] = await query<{ id: string; updated_at: Date }>(anyBooklist);
      const isNew = !list || chance.whole(0, 3) === 0;
      await query(
        "select public.save_booklist($1, 'Class 1', '2026/2027', $2::jsonb, _id => $3, _updated_at => $4)",
        [schoolOf(chance), linesOf(chance, shelf), isNew ? null : list.id, isNew ? null : list.updated_at],
      );
    },
  ],
  [
    6,
    "publish or withdraw a booklist",
    async (query, chance) => {
      const [list] = await query<{ id: string; updated_at: Date }>(anyBooklist);
      const status = chance.pick(["published", "published", "published", "withdrawn", "draft"]);
      await query("select public.set_booklist_status($1, $2, $3)", [
        list?.id ?? null,
        list?.updated_at ?? null,
        status,
      ]);
    },
  ],
  [
    4,
    "import booklists",
    async (query, chance, { shelf }) => {
      const lists = [1, 2].map((n) => ({
        school: schoolOf(chance),
        class_name: `Class ${n}`,
        school_year: "2026/2027",
        lines: linesOf(chance, shelf).map((_, line) => ({ line, title: `Book ${chance.whole(1, 9)}` })),
      }));
      const checked = await query<{ place: number; updated_at: Date | null }>(
        "select place, updated_at from public.import_booklists($1::jsonb, true)",
        [lists],
      );
      await query("select public.import_booklists($1::jsonb, false, true)", [
        lists.map((list, at) => ({ ...list, updated_at: checked[at]?.updated_at ?? null })),
      ]);
    },
  ],
  [
    3,
    "delete a book",
    (query, chance, { shelf }) => query("delete from public.books where id = $1", [chance.pick(shelf)]),
  ],
  [
    6,
    "restore a book",
    async (query) => {
      const [deleted] = await query<{ id: string }>(
        "select id from public.audit_log where table_name = 'books' and action = 'delete' order by random() limit 1",
      );
      await query("select public.restore_book($1)", [deleted?.id ?? null]);
    },
  ],
];

/** Who takes which steps; those who see to the emails may do what staff may. */
const stepsOf = { customer: customerSteps, admin: adminSteps, emails: emailSteps };
type Kind = keyof typeof stepsOf;

async function takeStep(world: World, person: SignedIn, chance: Chance, kind: Kind): Promise<void> {
  const [, name, step] = weighted(stepsOf[kind], chance);
  try {
    await world.database.as(person, (query) => step(query, chance, world, person));
    world.count(name, null);
  } catch (error) {
    const { code = "", message } = error as { code?: string; message: string };
    if (!expectedCodes.test(code)) throw new Error(`${name} failed with ${code || "no code"}: ${message}`);
    world.count(name, code);
  }
}

function weighted<T extends [number, ...unknown[]]>(choices: T[], chance: Chance): T {
  let left = chance.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const choice of choices) {
    left -= choice[0];
    if (left < 0) return choice;
  }
  return choices[0] as T;
}

async function newBook(database: Database, chance: Chance): Promise<string> {
  const stock = chance.whole(0, 12);
  const { id } = await addBook(database, { price: chance.whole(100, 9999) / 100, stock });
  await database.query("insert into torture.starting_stock (book_id, stock) values ($1, $2)", [id, stock]);
  return id;
}

/** Codes or a file come with it; what it begins with is what it had then. */
async function newDigitalTitle(database: Database, chance: Chance, by: "file" | "code"): Promise<string> {
  const { id } = await addBook(database, {
    kind: "digital",
    digital_by: by,
    price: chance.whole(0, 999) / 100,
    stock: 0,
  });
  await database.query("insert into torture.starting_stock (book_id, stock) values ($1, 0)", [id]);
  if (by === "code")
    await database.query(
      "select public.add_licence_codes($1, array(select 'C-' || n from generate_series(1, 12) as n))",
      [id],
    );
  else {
    await database.query(
      `insert into private.digital_files (id, book_id, name, type, size, pieces, sha256)
       values (gen_random_uuid(), $1, 'A.pdf', 'application/pdf', 1, 1, repeat('a', 64))`,
      [id],
    );
    await database.query("select private.set_digital_stock($1, private.unlimited_copies(), 'files')", [id]);
  }
  return id;
}

function count(figures: JourneyFigures, kind: string, code: string | null): void {
  if (code === null) figures.done[kind] = (figures.done[kind] ?? 0) + 1;
  else figures.refused[`${kind}: ${code}`] = (figures.refused[`${kind}: ${code}`] ?? 0) + 1;
}
