/* What tests of quotes create and look up, in SQL. */
import { randomUUID } from "node:crypto";
import type { Database, Row } from "./database.ts";
import { fillCart, type TestBook } from "./database-factories.ts";
import type { SignedIn } from "./people.ts";

type Request = Partial<Record<"id" | "institution" | "name" | "email" | "phone", string>> & {
  message?: string | null;
  method?: string | null;
  region?: string | null;
};

/** A customer's request of a quote for their cart, which stays. */
export async function requestQuote(
  database: Database,
  customer: SignedIn,
  {
    id = randomUUID(),
    institution = "A school",
    name = "A teacher",
    email = "teacher@school.example",
    phone = "+233201234567",
    message = null,
    method = null,
    region = null,
  }: Request = {},
): Promise<string> {
  await database.as(customer, (query) =>
    query("select public.request_quote($1, $2, $3, $4, $5, $6, $7, $8)", [
      id,
      institution,
      name,
      email,
      phone,
      message,
      method,
      region,
    ]),
  );
  return id;
}

/** A request for these lines; the cart is empty afterwards. */
export async function requestQuoteFor(
  database: Database,
  customer: SignedIn,
  lines: [book: TestBook, quantity: number][],
  request: Request = {},
): Promise<string> {
  await fillCart(database, customer, lines);
  const id = await requestQuote(database, customer, request);
  await database.query("delete from public.cart_items where user_id = $1", [customer.id]);
  return id;
}

export type QuotedLine = [book: { id: string }, quantity: number, price: number];

/** Changes a quote as staff; returns its new version. */
export async function changeQuote(
  database: Database,
  admin: SignedIn,
  id: string,
  lines: QuotedLine[],
  {
    version,
    validUntil = null,
    note = null,
    delivery = null,
  }: { version?: number; validUntil?: string | null; note?: string | null; delivery?: object | null } = {},
): Promise<number> {
  const json = lines.map(([book, quantity, price]) => ({ book_id: book.id, quantity, unit_price: price }));
  const [row] = await database.as(admin, async (query) =>
    query<{ version: number }>(
      "select public.update_quote($1, $2, $3::jsonb, $4, $5, $6::jsonb) as version",
      [id, version ?? (await quoteOf(database, id)).version, json, validUntil, note, delivery],
    ),
  );
  return Number(row?.version);
}

/** Sends a quote as staff; returns its reference. */
export async function sendQuote(
  database: Database,
  admin: SignedIn,
  id: string,
  { version, fee = null }: { version?: number; fee?: number | null } = {},
): Promise<string> {
  const current = version ?? (await quoteOf(database, id)).version;
  const [row] = await database.as(admin, (query) =>
    query<{ reference: string }>("select public.send_quote($1, $2, $3) as reference", [id, current, fee]),
  );
  return String(row?.reference);
}

/** The school's acceptance of a version; returns the order's id. */
export async function acceptQuote(
  database: Database,
  customer: SignedIn,
  id: string,
  version: number,
  {
    po = "PO 7",
    email = "teacher@school.example",
    delivery = { shipping_address: "5 Castle Road, Cape Coast" },
    total = null,
  }: {
    po?: string | null;
    email?: string;
    delivery?: Record<string, string>;
    total?: number | null;
  } = {},
): Promise<string> {
  const [row] = await database.as(customer, (query) =>
    query<{ order: string }>('select public.accept_quote($1, $2, $3, $4::jsonb, $5) as "order"', [
      id,
      version,
      po,
      {
        ...delivery,
        recipient_name: "A teacher",
        recipient_email: email,
        recipient_phone: "+233201234567",
      },
      total,
    ]),
  );
  return String(row?.order);
}

/** A quote as it is stored. */
export async function quoteOf(
  database: Database,
  id: string,
): Promise<Row & { version: number; status: string }> {
  const [row] = await database.query<Row & { version: number; status: string }>(
    "select * from public.quotes where id = $1",
    [id],
  );
  if (!row) throw new Error("There is no such quote.");
  return row;
}

/** A quote of these lines and prices, sent to its customer. */
export async function offerQuote(
  database: Database,
  { customer, admin }: { customer: SignedIn; admin: SignedIn },
  lines: [book: TestBook, quantity: number, price: number][],
  delivery: object | null = null,
): Promise<{ id: string; version: number }> {
  const id = await requestQuoteFor(
    database,
    customer,
    lines.map(([book]) => [book, 1]),
  );
  const version = await changeQuote(database, admin, id, lines, { delivery });
  await sendQuote(database, admin, id, { version });
  return { id, version: version + 1 };
}
