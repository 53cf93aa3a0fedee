import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Person } from "#tests/support/database.ts";
import { addBook, addCustomer, addStaff, type TestBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey, visitor } from "#tests/support/people.ts";
import { acceptQuote, changeQuote, quoteOf, sendQuote } from "#tests/support/quotes.ts";

describeDatabase("A quote for a customer without an account", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let other: SignedIn;
  let book: TestBook;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
    other = await addCustomer(open());
    book = await addBook(open(), { price: 50, stock: 1000 });
  });

  type Contact = { email?: string | null; phone?: string; person?: SignedIn; copyOf?: string };
  const begin = async ({
    email = null,
    phone = "024 412 3456",
    person = admin,
    copyOf,
  }: Contact = {}): Promise<string> => {
    const id = randomUUID();
    await open().as(person, (query) =>
      query("select public.begin_quote($1, null, 'Castle Road School', 'The bursar', $2, $3, $4)", [
        id,
        email,
        phone,
        copyOf ?? null,
      ]),
    );
    return id;
  };
  const sent = async (contact: Contact = {}) => {
    const id = await begin(contact);
    await changeQuote(open(), admin, id, [[book, 3, 45]]);
    await sendQuote(open(), admin, id);
    return id;
  };
  const link = async (id: string) => {
    const [row] = await open().as(admin, (query) =>
      query<{ token: string }>("select public.create_quote_link($1) as token", [id]),
    );
    return String(row?.token);
  };
  const read = (id: string, token: string | null, person: Person = visitor) =>
    open().as(person, (query) => query("select * from public.find_linked_quote($1, $2)", [id, token]));
  const claim = (id: string, token: string | null, person: SignedIn) =>
    open().as(person, (query) => query("select public.claim_quote($1, $2)", [id, token]));
  const stop = async (id: string) => {
    const { version } = await quoteOf(open(), id);
    await open().as(admin, (query) => query("select public.stop_quote_links($1, $2)", [id, version]));
  };

  const seenByStaff = async (id: string) => {
    const [row] = await open().as(admin, (query) => query("select * from public.admin_find_quote($1)", [id]));
    return row;
  };

  const emailOf = async ({ id }: SignedIn) =>
    (await open().query("select email from public.profiles where id = $1", [id]))[0]?.email;

  test("needs a phone number and no email address, and no duty for accounts", async () => {
    const holder = await addCustomer(open());
    await open().query("insert into public.staff_duties (user_id, duty) values ($1, 'schools')", [holder.id]);
    const id = await begin({ person: holder });
    expect(await quoteOf(open(), id)).toMatchObject({
      user_id: null,
      contact_email: null,
      contact_phone: "+233 24 412 3456",
      delivery_method: "deliver",
      begun_by_staff: true,
    });
    expect((await refusalOf(begin({ phone: "" }))).detail).toMatchObject({ field: "contact_phone" });
    expect((await refusalOf(begin({ email: "no address" }))).detail).toMatchObject({
      field: "contact_email",
    });
    expect(await quoteOf(open(), await begin({ copyOf: id }))).toMatchObject({ user_id: null });
  });

  test("is read by its link alone, without a session, once it was sent", async () => {
    const id = await begin();
    expect((await refusalOf(link(id))).detail).toMatchObject({ code: "quote_not_sent" });
    await changeQuote(open(), admin, id, [[book, 3, 45]]);
    await sendQuote(open(), admin, id);
    const token = await link(id);
    expect(await read(id, token)).toMatchObject([{ id, status: "sent", institution: "Castle Road School" }]);
    expect(await read(id, token, other)).toHaveLength(1);
    for (const wrong of ["", "x", null, token.toUpperCase(), await link(await sent())])
      expect(await read(id, wrong)).toEqual([]);
    // Only the hash is stored.
    const stored = JSON.stringify(await open().query("select l::text from private.quote_links l"));
    expect(stored).not.toContain(token);
    // What staff are changing is theirs until it is sent again.
    await changeQuote(open(), admin, id, [[book, 3, 40]], { note: "Not yet" });
    expect(await read(id, token)).toMatchObject([{ status: "requested", note: null, delivery_fee: null }]);
    expect(
      JSON.stringify((await read(id, token)).map(({ lines }) => (lines as { unit_price: number }[])[0])),
    ).toContain('"unit_price":null');
  });

  test("shows staff whether a link opens it, and whose account took it over", async () => {
    const id = await sent();
    const none = { has_links: false, account_email: null };
    expect(await seenByStaff(id)).toMatchObject(none);
    const token = await link(id);
    expect(await seenByStaff(id)).toMatchObject({ ...none, has_links: true });
    await stop(id);
    expect(await seenByStaff(id)).toMatchObject(none);
    await claim(id, await link(id), customer);
    expect(await read(id, token)).toEqual([]);
    const account_email = await emailOf(customer);
    expect(account_email).toBeTruthy();
    expect(await seenByStaff(id)).toMatchObject({ has_links: false, account_email });
    // Its email brings a link as soon as it leaves, unless it is stopped before.
    const emailed = await sent({ email: "bursar@school.example" });
    expect(await seenByStaff(emailed)).toMatchObject({ ...none, has_links: true });
    await stop(emailed);
    expect(await seenByStaff(emailed)).toMatchObject(none);
  });

  test("is taken over by one account, which then accepts it; its links open nothing any more", async () => {
    const id = await sent();
    const token = await link(id);
    expect((await refusalOf(claim(id, "wrong", customer))).detail).toMatchObject({ code: "quote_not_found" });
    expect((await refusalOf(claim(randomUUID(), token, customer))).detail).toMatchObject({
      code: "quote_not_found",
    });
    const outcomes = await Promise.allSettled([claim(id, token, customer), claim(id, token, other)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const { user_id, version } = await quoteOf(open(), id);
    const [winner, loser] = user_id === customer.id ? [customer, other] : [other, customer];
    await claim(id, token, winner);
    expect(await read(id, token, winner)).toEqual([]);
    expect((await refusalOf(claim(id, token, loser))).detail).toMatchObject({ code: "quote_not_found" });
    expect((await refusalOf(link(id))).detail).toMatchObject({ code: "quote_has_account" });
    const order = await acceptQuote(open(), winner, id, version);
    expect(await open().query("select user_id from public.orders where id = $1", [order])).toEqual([
      { user_id: winner.id },
    ]);
    expect((await refusalOf(stop(id))).detail).toMatchObject({ code: "quote_accepted" });
  });

  test("loses its links and the account that took it over when staff stop them, and can get new ones", async () => {
    const id = await sent();
    const [first, second] = [await link(id), await link(id)];
    await claim(id, first, customer);
    await stop(id);
    expect(await quoteOf(open(), id)).toMatchObject({ user_id: null, claimed_at: null, status: "sent" });
    expect(await read(id, first)).toEqual([]);
    expect(await read(id, second)).toEqual([]);
    expect(await read(id, await link(id))).toHaveLength(1);
  });

  test("stays in an account that staff chose when its links are stopped", async () => {
    const id = randomUUID();
    await open().as(admin, (query) =>
      query("select public.begin_quote($1, $2, 'A school', 'A teacher', 'a@school.example', '0244123456')", [
        id,
        customer.id,
      ]),
    );
    await stop(id);
    expect(await quoteOf(open(), id)).toMatchObject({ user_id: customer.id });
  });

  test("is emailed with a link of its own, and not emailed without an address", async () => {
    const waiting = (id: string) =>
      open().query("select kind from public.outgoing_emails where event like $1", [`${id}:%`]);
    expect(await waiting(await sent())).toEqual([]);
    const id = await sent({ email: "bursar@school.example" });
    expect(await waiting(id)).toEqual([{ kind: "quote_sent" }]);
    const claimEmail = async (quoteId: string) => {
      await open().query("delete from public.outgoing_emails where event is null or event not like $1", [
        `${quoteId}:%`,
      ]);
      const [row] = await open().as(secretKey, (query) =>
        query<{ email: { quote: Record<string, unknown> } | null }>("select public.claim_email() as email"),
      );
      return row?.email?.quote;
    };
    const quote = await claimEmail(id);
    expect(quote?.id).toBe(id);
    expect(await read(id, String(quote?.token))).toHaveLength(1);

    const stopped = await sent({ email: "wrong@school.example" });
    await stop(stopped);
    expect(await claimEmail(stopped)).toBeUndefined();

    const claimed = await sent();
    await claim(claimed, await link(claimed), customer);
    await changeQuote(open(), admin, claimed, [[book, 4, 45]]);
    await sendQuote(open(), admin, claimed);
    expect(await claimEmail(claimed)).toMatchObject({
      id: claimed,
      email: await emailOf(customer),
      token: null,
    });
  });

  test("is forgotten with a caller, by email or phone, and with an account of the same email and phone", async () => {
    const [byEmail, byPhone, kept] = [
      await sent({ email: "Leaving@school.example", phone: "0201111111" }),
      await sent({ phone: "0202222222" }),
      await sent({ phone: "0203333333" }),
    ];
    const token = await link(byPhone);
    const forget = (who: string) =>
      open().as(admin, (query) => query("select public.anonymise_caller($1)", [who]));
    const preview = async (who: string) => {
      const [row] = await open().as(admin, (query) =>
        query<{ found: { quotes: number } }>("select public.preview_anonymising(_who => $1) as found", [who]),
      );
      return row?.found.quotes;
    };
    expect(await preview("leaving@school.example")).toBe(1);
    await forget("leaving@school.example");
    expect(await preview("+233 20 222 2222")).toBe(1);
    await forget("+233 20 222 2222");
    for (const id of [byEmail, byPhone]) {
      expect(await quoteOf(open(), id)).toMatchObject({
        institution: null,
        contact_name: null,
        contact_email: null,
        contact_phone: null,
        status: "withdrawn",
      });
      const log = await open().query(
        "select before::text || after::text as row from public.audit_log where table_name = 'quotes' and row_id = $1",
        [id],
      );
      expect(JSON.stringify(log)).not.toMatch(/bursar|Leaving|20 [12]{3}/);
    }
    expect(await read(byPhone, token)).toEqual([]);
    expect(await quoteOf(open(), kept)).toMatchObject({ institution: "Castle Road School", status: "sent" });

    const leaving = await addCustomer(open());
    await open().query("update public.profiles set phone = '+233204444444' where id = $1", [leaving.id]);
    const [{ email } = { email: "" }] = await open().query<{ email: string }>(
      "update auth.users set email_confirmed_at = now() where id = $1 returning email",
      [leaving.id],
    );
    const theirs = await sent({ email, phone: "0204444444" });
    await open().as(admin, (query) => query("select public.anonymise_customer($1)", [leaving.id]));
    expect(await quoteOf(open(), theirs)).toMatchObject({ contact_phone: null, status: "withdrawn" });
  });
});
