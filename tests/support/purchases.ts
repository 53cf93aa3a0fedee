/* What tests of purchase orders create and look up, in SQL. */
import { randomUUID } from "node:crypto";
import type { Database, Row } from "./database.ts";
import type { SignedIn } from "./people.ts";

export type PurchasedLine = { book_id: string; copies: number; list_price: number; discount: number };

export async function addSupplier(database: Database, admin: SignedIn, currency = "GHS"): Promise<string> {
  const id = randomUUID();
  await database.as(admin, (query) =>
    query("select public.save_supplier(_id => $1, _name => $2, _discount => 30, _currency => $3)", [
      id,
      `Supplier ${id}`,
      currency,
    ]),
  );
  return id;
}

/** A draft without lines, of version 1. */
export async function beginPurchase(
  database: Database,
  admin: SignedIn,
  supplierId: string,
  id: string = randomUUID(),
): Promise<string> {
  await database.as(admin, (query) => query("select public.create_purchase_order($1, $2)", [id, supplierId]));
  return id;
}

export async function purchaseOf(database: Database, id: string): Promise<Row> {
  const [row] = await database.query(
    "select status, reference, version, currency, note, sent_at is not null as is_sent from public.purchase_orders where id = $1",
    [id],
  );
  return row ?? {};
}

export async function changePurchase(
  database: Database,
  admin: SignedIn,
  id: string,
  lines: unknown,
  { version, note = null }: { version: number; note?: string | null },
): Promise<number> {
  const [row] = await database.as(admin, (query) =>
    query<{ version: number }>("select public.update_purchase_order($1, $2, $3::jsonb, $4) as version", [
      id,
      version,
      JSON.stringify(lines),
      note,
    ]),
  );
  return row?.version ?? 0;
}

export async function sendPurchase(
  database: Database,
  admin: SignedIn,
  id: string,
  version: number,
): Promise<string> {
  const [row] = await database.as(admin, (query) =>
    query<{ reference: string }>("select public.send_purchase_order($1, $2) as reference", [id, version]),
  );
  return row?.reference ?? "";
}
