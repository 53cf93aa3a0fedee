/* What tests create of digital titles through the shop's API. */
import { createHash, randomUUID } from "node:crypto";
import { addBook, type Client, dataOf } from "./factories.ts";

const PIECE_BYTES = 4 * 1024 * 1024;

/** A PDF of this size whose bytes are its own. */
export function pdfOf(bytes: number): Buffer {
  const pdf = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 1) pdf[at] = (at * 7 + (at >> 8)) % 251;
  pdf.write(`%PDF-1.7\n${randomUUID()}\n`);
  return pdf;
}

/** A digital title of one file, as staff make it. */
export async function addFileTitle(
  staff: Client,
  content: Buffer,
  name: string,
  book: Parameters<typeof addBook>[1] = {},
) {
  const title = await addBook(staff, { kind: "digital", digital_by: "file", stock_quantity: 0, ...book });
  const id = randomUUID();
  const pieces = Math.ceil(content.length / PIECE_BYTES);
  for (let piece = 1; piece <= pieces; piece += 1) {
    const bytes = content.subarray((piece - 1) * PIECE_BYTES, piece * PIECE_BYTES);
    await dataOf(
      staff.storage.from("digital-files").upload(`${id}/${String(piece).padStart(4, "0")}`, bytes, {
        contentType: piece === 1 ? "application/pdf" : "application/octet-stream",
      }),
    );
  }
  const { error } = await staff.rpc("add_digital_file", {
    _id: id,
    _book_id: title.id,
    _name: name,
    _type: "application/pdf",
    _size: content.length,
    _pieces: pieces,
    _sha256: createHash("sha256").update(content).digest("hex"),
  });
  if (error) throw new Error(error.message);
  return title;
}

/** A digital title of licence codes, as staff make it. */
export async function addCodeTitle(staff: Client, codes: string[], book: Parameters<typeof addBook>[1] = {}) {
  const title = await addBook(staff, { kind: "digital", digital_by: "code", stock_quantity: 0, ...book });
  await dataOf(staff.rpc("add_licence_codes", { _book_id: title.id, _codes: codes }));
  return title;
}

/** Records money received for an order, or refunded, in cedis. */
export async function recordMoney(
  staff: Client,
  orderId: string,
  amount: number,
  kind: "payment" | "refund" = "payment",
): Promise<void> {
  const { error } = await staff.rpc("record_payment", {
    _payment_id: randomUUID(),
    _order_id: orderId,
    _kind: kind,
    _method: "cash",
    _amount: amount,
    _paid_on: new Date().toISOString().slice(0, 10),
  });
  if (error) throw new Error(error.message);
}
