import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { ClaimedEmail, EmailPurchase } from "#server/emails/claimed-email.ts";
import { prepareEmail } from "#server/emails/deliver.ts";
import { connectMailServer } from "#server/emails/mail-server.ts";
import { purchaseFiles } from "#server/emails/purchase-files.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { type Request, send } from "#tests/support/at-once.ts";
import { addBook, addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { startMailServer } from "#tests/support/mail-server.ts";
import { pdfPages } from "#tests/support/pdf-text.ts";
import { refusalOf, type SignedIn, secretKey } from "#tests/support/people.ts";
import {
  addSupplier,
  beginPurchase,
  changePurchase,
  purchaseOf,
  sendPurchase,
} from "#tests/support/purchases.ts";
import { setSettings } from "#tests/support/settings.ts";

describeOnOwnServerToo("Emails of purchase orders", (open) => {
  let admin: SignedIn;
  let supplier: string;
  let book: { id: string };
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    book = await addBook(open(), { title: "Maths 4" });
  });
  beforeEach(async () => {
    supplier = await addSupplier(open(), admin, "GBP");
    await open().query("update public.suppliers set email = 'orders@sedco.example' where id = $1", [
      supplier,
    ]);
    await open().query("delete from public.outgoing_emails");
  });

  const line = () => ({ book_id: book.id, copies: 3, list_price: 9.99, discount: 30 });
  const drafted = async () => {
    const id = await beginPurchase(open(), admin, supplier);
    await changePurchase(open(), admin, id, [line()], { version: 1 });
    return id;
  };
  const sent = async () => {
    const id = await drafted();
    await sendPurchase(open(), admin, id, 2);
    return id;
  };
  const emailing = (id: string, version: number): Request => [
    admin,
    "select public.email_purchase_order($1, $2)",
    [id, version],
  ];
  const email = (id: string, version = 3) => send(open(), emailing(id, version));
  const claim = async () => {
    const [row] = await open().as(secretKey, (query) =>
      query<{ email: ClaimedEmail | null }>("select public.claim_email() as email"),
    );
    return row?.email ?? null;
  };
  const record = (id: string) =>
    open().as(secretKey, (query) => query("select public.record_sent_email($1)", [id]));
  const emails = (id: string) =>
    open().as(admin, (query) =>
      query<{ id: string; state: string; reason: string | null; is_current: boolean }>(
        "select id, state, reason, is_current from public.list_purchase_emails($1)",
        [id],
      ),
    );
  const resend = (id: string) => open().as(admin, (query) => query("select public.resend_email($1)", [id]));

  test("shows the seller as it was on the day the order was marked as sent, on the page and in the PDF of a purchase email", async () => {
    const page = async (id: string) => {
      const [row] = await open().as(admin, (query) =>
        query<{ shop: object }>("select shop from public.admin_find_purchase_order($1)", [id]),
      );
      return row?.shop;
    };
    await setSettings(open(), admin, { legalName: "Before Ltd", address: ["1 Old Road"] });
    const id = await sent();
    const today = { legalName: "After Ltd", address: ["2 New Road"] };
    await setSettings(open(), admin, today);
    await email(id);
    const claimed = await claim();
    const seller = { legalName: "Before Ltd", address: ["1 Old Road"] };
    expect(await page(id)).toMatchObject(seller);
    expect(claimed?.purchase).toMatchObject({ shop: seller });
    const [pdf] = await purchaseFiles(claimed?.purchase as EmailPurchase, { ...firstShop, ...today });
    const [text] = pdfPages(pdf?.content as Buffer);
    expect(text).toContain("Before Ltd");
    expect(text).toContain("1 Old Road");
    expect(text).not.toContain("After");
    expect(await page(await drafted())).toMatchObject({ legalName: "After Ltd" });
  });

  test("are queued once each time the order is marked as sent, however often staff click", async () => {
    const id = await sent();
    await Promise.all(Array.from({ length: 8 }, () => email(id)));
    expect(await emails(id)).toMatchObject([{ state: "waiting", is_current: true }]);
    const claimed = await claim();
    expect(claimed).toMatchObject({
      kind: "purchase_order_sent",
      audience: "supplier",
      order: null,
      quote: null,
      purchase: {
        id,
        reference: (await purchaseOf(open(), id)).reference,
        currency: "GBP",
        email: "orders@sedco.example",
        total: 20.98,
        lines: [{ title: "Maths 4", copies: 3, list_price: 9.99, discount: 30, amount: 20.98 }],
      },
    });
    await record(claimed?.id ?? "");
    await email(id);
    expect(await emails(id)).toMatchObject([{ state: "sent" }]);
    expect(await claim()).toBeNull();
    // Nothing of the order is stored with the email.
    const [stored] = await open().query("select * from public.outgoing_emails");
    expect(JSON.stringify(stored)).not.toMatch(/Maths|sedco/);

    await changePurchase(open(), admin, id, [{ ...line(), copies: 4 }], { version: 3 });
    await sendPurchase(open(), admin, id, 4);
    await email(id, 5);
    expect(await emails(id)).toMatchObject([
      { state: "waiting", is_current: true },
      { state: "sent", is_current: false },
    ]);
    expect((await claim())?.purchase?.lines).toMatchObject([{ copies: 4 }]);
  });

  test("are refused for a draft, a version that staff did not see, and a supplier without an address", async () => {
    const draft = await drafted();
    expect((await refusalOf(email(draft, 2))).detail).toMatchObject({ code: "purchase_order_not_sent" });
    const id = await sent();
    expect((await refusalOf(email(id, 2))).detail).toMatchObject({ code: "purchase_order_changed" });
    await open().query("update public.suppliers set email = null where id = $1", [supplier]);
    expect((await refusalOf(email(id))).detail).toMatchObject({ code: "supplier_without_email" });
    expect((await refusalOf(email(randomUUID()))).detail).toMatchObject({ code: "purchase_order_not_found" });
    expect(await claim()).toBeNull();
  });

  test("are dropped when the order is changed or cancelled first, and fail without an address", async () => {
    const [changed, cancelled, unreachable] = [await sent(), await sent(), await sent()];
    for (const id of [changed, cancelled]) await email(id);
    await changePurchase(open(), admin, changed, [{ ...line(), copies: 4 }], { version: 3 });
    await open().as(admin, (query) => query("select public.cancel_purchase_order($1, 3)", [cancelled]));
    expect(await claim()).toBeNull();
    expect([...(await emails(changed)), ...(await emails(cancelled))]).toEqual([]);
    await email(unreachable);
    await open().query("update public.suppliers set email = null where id = $1", [supplier]);
    expect(await claim()).toBeNull();
    expect(await emails(unreachable)).toMatchObject([
      { state: "given_up", reason: "The supplier has no email address." },
    ]);
    const unsent = await open().as(admin, (query) =>
      query("select purchase_order_id, purchase_reference from public.admin_list_unsent_emails()"),
    );
    expect(unsent).toEqual([
      {
        purchase_order_id: unreachable,
        purchase_reference: (await purchaseOf(open(), unreachable)).reference,
      },
    ]);
  });

  test("can be sent again after the last attempt, with the current order", async () => {
    const id = await sent();
    await email(id);
    const [first] = await emails(id);
    expect((await refusalOf(resend(first?.id ?? ""))).detail).toMatchObject({ code: "email_waiting" });
    const claimed = await claim();
    await open().as(secretKey, (query) =>
      query("select public.record_failed_email($1, $2, 'The mail server refused it.', true)", [
        claimed?.id,
        claimed?.lease,
      ]),
    );
    expect(await emails(id)).toMatchObject([{ state: "given_up", reason: "The mail server refused it." }]);
    const presses = await Promise.allSettled([1, 2, 3].map(() => resend(first?.id ?? "")));
    expect(presses.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await emails(id)).toMatchObject([
      { state: "waiting", is_current: true },
      { state: "given_up", is_current: true },
    ]);
    expect((await claim())?.purchase?.id).toBe(id);
  });

  test("reach the mail server with both files, for the supplier only", async () => {
    const server = await startMailServer({
      answer: (to) => (to.includes("orders@sedco.example") ? "250 fine" : "550 no"),
    });
    const id = await sent();
    await email(id);
    const claimed = await claim();
    if (!claimed) throw new Error("There is no email.");
    const settings = { siteUrl: "https://shop.example", mailFrom: "shop@shop.example", shopEmail: null };
    const connection = connectMailServer(server.url, 1);
    await connection.send(await prepareEmail(claimed, settings, firstShop));
    connection.close();
    const { reference } = await purchaseOf(open(), id);
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toContain("To: orders@sedco.example");
    for (const ending of ["pdf", "csv"]) expect(server.mails[0]).toContain(`filename=${reference}.${ending}`);
  });
});
