import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Row } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { type SignedIn, secretKey } from "#tests/support/people.ts";
import { changeQuote, requestQuoteFor, sendQuote } from "#tests/support/quotes.ts";

describeDatabase("Emails about quotes", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    await open().query("delete from public.outgoing_emails");
  });

  type Claimed = Row & { kind: string; id: string; audience: string; quote: Row | null };
  /** The kinds and quotes of all that wait, in their order; each counts as sent. */
  const claimAll = async () => {
    const claimed: Claimed[] = [];
    for (;;) {
      const [row] = await open().as(secretKey, (query) =>
        query<{ email: Claimed | null }>("select public.claim_email() as email"),
      );
      if (!row?.email) return claimed;
      claimed.push(row.email);
      await open().as(secretKey, (query) => query("select public.record_sent_email($1)", [row.email?.id]));
    }
  };
  const waiting = async () =>
    (await open().query("select kind from public.outgoing_emails order by kind")).map(({ kind }) => kind);

  test("a request tells the owner, and the quote goes to the school, each once", async () => {
    const book = await addBook(open(), { title: "Maths 4", price: 50 });
    const id = await requestQuoteFor(open(), customer, [[book, 30]]);
    expect(await claimAll()).toMatchObject([
      {
        kind: "quote_requested",
        audience: "owner",
        order: null,
        quote: {
          id,
          reference: null,
          email: "teacher@school.example",
          lines: [{ quantity: 30, unit_price: 50 }],
        },
      },
    ]);
    await changeQuote(open(), admin, id, [[book, 30, 45]], { note: "In January" });
    const reference = await sendQuote(open(), admin, id);
    expect(await claimAll()).toMatchObject([
      {
        kind: "quote_sent",
        audience: "customer",
        quote: { id, reference, note: "In January", lines: [{ title: "Maths 4", unit_price: 45 }] },
      },
    ]);
    // A changed offer is another email.
    await changeQuote(open(), admin, id, [[book, 30, 44]]);
    await sendQuote(open(), admin, id);
    expect(await claimAll()).toMatchObject([{ kind: "quote_sent", quote: { lines: [{ unit_price: 44 }] } }]);
  });

  test("what is no longer so is not sent: a request taken back, a quote changed or withdrawn before its email went", async () => {
    const book = await addBook(open());
    const taken = await requestQuoteFor(open(), customer, [[book, 1]]);
    await open().as(customer, (query) => query("select public.decline_quote($1)", [taken]));
    const changed = await requestQuoteFor(open(), customer, [[book, 2]]);
    await sendQuote(open(), admin, changed);
    await changeQuote(open(), admin, changed, [[book, 2, 1]]);
    expect(await waiting()).toEqual(["quote_requested", "quote_requested", "quote_sent"]);
    expect(await claimAll()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  test("a quote's email is sent again with what the quote says, and not for a customer who is forgotten", async () => {
    const book = await addBook(open());
    const id = await requestQuoteFor(open(), customer, [[book, 3]]);
    await sendQuote(open(), admin, id);
    const sent = (await claimAll()).find(({ kind }) => kind === "quote_sent");
    const resend = () => open().as(admin, (query) => query("select public.resend_email($1)", [sent?.id]));
    await resend();
    expect(await claimAll()).toMatchObject([{ kind: "quote_sent", quote: { id } }]);
    await resend();
    await open().as(admin, (query) => query("select public.anonymise_customer($1)", [customer.id]));
    expect(await claimAll()).toEqual([]);
  });
});
