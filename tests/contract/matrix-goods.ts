import { randomUUID } from "node:crypto";
import { dataOf } from "#tests/support/factories.ts";
import type { AnyClient, ApiWorld } from "./matrix-world.ts";

/** New stock counts, suppliers, purchase orders and receipts, because the last case may have changed the previous ones. */
export function goodsRenewals(staff: AnyClient, key: AnyClient, ids: ApiWorld["ids"]): ApiWorld["renew"] {
  const call = async (name: string, sent: object) => {
    const { error } = await staff.rpc(name, sent);
    if (error) throw error;
  };
  const newCount = async () => {
    ids.count = randomUUID();
    const scope = { _scope: "publisher", _value: "Cambridge University Press" };
    await call("begin_stock_count", { _id: ids.count, _name: "Cambridge", ...scope });
  };
  const newSupplier = async () => {
    const id = randomUUID();
    await call("save_supplier", { _id: id, _name: `Supplier ${id}` });
    return id;
  };
  const newPurchase = async () => {
    ids.supplier ??= await newSupplier();
    ids.purchase = randomUUID();
    await call("create_purchase_order", { _id: ids.purchase, _supplier_id: ids.supplier });
    const line = { book_id: ids.other_book, copies: 10, list_price: 12.5, discount: 30 };
    await call("update_purchase_order", { _id: ids.purchase, _version: 1, _lines: [line] });
    ids.purchase_version = "2";
  };
  const newPurchaseEmail = async () => {
    const [supplier, purchase] = [randomUUID(), randomUUID()];
    await call("save_supplier", {
      _id: supplier,
      _name: `Supplier ${supplier}`,
      _email: "orders@supplier.example",
    });
    await call("create_purchase_order", { _id: purchase, _supplier_id: supplier });
    const line = { book_id: ids.other_book, copies: 1, list_price: 12.5, discount: 30 };
    await call("update_purchase_order", { _id: purchase, _version: 1, _lines: [line] });
    await call("send_purchase_order", { _id: purchase, _version: 2 });
    await call("email_purchase_order", { _id: purchase, _version: 3 });
    const [email] = await dataOf(staff.rpc("list_purchase_emails", { _id: purchase }));
    ids.purchase_email = email?.id;
    await key.rpc("record_sent_email", { _email_id: ids.purchase_email });
  };
  return {
    purchase_email: newPurchaseEmail,
    scan_stock: newCount,
    mark_none_found: newCount,
    recount_stock: newCount,
    book_stock_count: newCount,
    discard_stock_count: newCount,
    list_stock_count_books: newCount,
    save_supplier: async () => {
      const named = staff.from("suppliers").select("id").eq("name", "Sedco Publishing");
      for (const { id } of await dataOf(named)) await call("remove_supplier", { _id: id });
    },
    remove_supplier: async () => {
      ids.unused_supplier = await newSupplier();
    },
    create_purchase_order: newPurchase,
    update_purchase_order: newPurchase,
    send_purchase_order: newPurchase,
    cancel_purchase_order: newPurchase,
    email_purchase_order: newPurchase,
    list_purchase_emails: newPurchase,
    undo_receipt: async () => {
      ids.receipt = randomUUID();
      const line = { book_id: ids.other_book, copies: 2, damaged: 1 };
      await call("book_receipt", { _id: ids.receipt, _lines: [line] });
    },
  };
}
