import { afterEach, beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { setSettings } from "#tests/support/settings.ts";

describeOnOwnServerToo("An invoice", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    admin = await addStaff(open(), "admin");
  });
  const year = new Date().getUTCFullYear();

  const newOrder = async () => order(open(), customer, [[await addBook(open()), 1]]);
  const issue = async (person: SignedIn, id: string) => {
    const [row] = await open().as(person, (query) =>
      query<{ reference: string; issued_at: Date; changed_at: Date | null; shop: object }>(
        "select * from public.issue_invoice($1)",
        [id],
      ),
    );
    return row;
  };
  const numbers = async () =>
    (
      await open().query<{ number: number }>(
        "select number from public.invoices where year = $1 order by 1",
        [year],
      )
    ).map(({ number }) => number);
  const isGapless = async () => {
    const issued = await numbers();
    expect(issued).toEqual(issued.map((_, index) => index + 1));
    const [counter] = await open().query(
      "select last_number from private.yearly_numbers where series = 'invoices' and year = $1",
      [year],
    );
    expect(counter?.last_number ?? 0).toBe(issued.length);
  };
  afterEach(isGapless);

  test("gets the year's next number when it is first opened, and keeps it", async () => {
    const [one, two] = [await newOrder(), await newOrder()];
    const before = (await numbers()).length;
    const first = await issue(customer, two);
    expect(first?.reference).toBe(`INV${year}-${String(before + 1).padStart(4, "0")}`);
    expect((await issue(admin, one))?.reference).toBe(`INV${year}-${String(before + 2).padStart(4, "0")}`);
    for (const person of [customer, admin]) expect(await issue(person, two)).toEqual(first);
  });

  test("has one number however often it is opened at once, and different orders have no gaps", async () => {
    const ids = [await newOrder(), await newOrder(), await newOrder(), await newOrder()];
    const opened = await Promise.all(
      Array.from({ length: 24 }, async (_, n) => {
        const id = ids[n % ids.length] ?? "";
        return [id, (await issue(n % 3 ? customer : admin, id))?.reference] as const;
      }),
    );
    for (const id of ids)
      expect(new Set(opened.filter(([one]) => one === id).map(([, ref]) => ref)).size).toBe(1);
    expect(new Set(opened.map(([, reference]) => reference)).size).toBe(ids.length);
  });

  test("that is not given out after all leaves no gap", async () => {
    const id = await newOrder();
    await expect(
      open().as(customer, async (query) => {
        await query("select public.issue_invoice($1)", [id]);
        throw new Error("The connection is lost.");
      }),
    ).rejects.toThrow("lost");
    await isGapless();
    await issue(customer, id);
  });

  test("is not given to a cancelled order, which keeps one that it has", async () => {
    const [never, had] = [await newOrder(), await newOrder()];
    const invoice = await issue(customer, had);
    for (const id of [never, had])
      await open().as(customer, (query) =>
        query("update public.orders set status = 'cancelled' where id = $1", [id]),
      );
    expect((await refusalOf(issue(customer, never))).detail).toEqual({ code: "order_cancelled" });
    expect(await issue(customer, had)).toEqual(invoice);
  });

  test("the invoice of a deleted order keeps its number, for the order when it is restored", async () => {
    const id = await newOrder();
    const invoice = await issue(admin, id);
    await open().as(admin, (query) => query("delete from public.orders where id = $1", [id]));
    expect((await refusalOf(issue(customer, id))).detail).toEqual({ code: "order_not_found" });
    await isGapless();
    await open().as(admin, (query) => query("select public.restore_order($1)", [id]));
    expect(await issue(customer, id)).toEqual(invoice);
  });

  test("says when its order was changed after it was issued, to the customer too, and when that was undone", async () => {
    const [book, other] = [await addBook(open(), { price: 10 }), await addBook(open(), { price: 5 })];
    const id = await order(open(), customer, [[book, 2]]);
    const change = (books: number) =>
      open().as(admin, (query) =>
        query(
          `select public.change_order($1, (select updated_at from public.orders where id = $1), $2, array[$3::int], $4)`,
          [id, [book.id], books, 10 * books],
        ),
      );
    await change(1);
    const first = await issue(customer, id);
    expect(first?.changed_at, "the change was before").toBeNull();
    await change(3);
    const changed = await issue(customer, id);
    expect(changed).toMatchObject({ reference: first?.reference, issued_at: first?.issued_at });
    const at = changed?.changed_at?.getTime() ?? 0;
    expect(at).toBeGreaterThan(first?.issued_at.getTime() ?? 0);
    await open().as(admin, (query) =>
      query(
        `select public.undo_order_change((select max(l.id) from public.audit_log l
                                           where l.row_id = $1::text and l.action = 'change'))`,
        [id],
      ),
    );
    expect((await issue(admin, id))?.changed_at?.getTime()).toBeGreaterThan(at);
    const untouched = await order(open(), customer, [[other, 1]]);
    expect((await issue(customer, untouched))?.changed_at).toBeNull();
  });

  test("keeps an invoice's seller and taxes as they were on the day of issue when settings change", async () => {
    const set = (values: object) => setSettings(open(), admin, values);
    await open().query(
      `select private.set_first_settings('{"taxNumber": "", "taxes": [], "legalName": "First"}')`,
    );
    const early = await newOrder();
    await issue(customer, early);
    const late = await newOrder();
    const vat = [{ name: "VAT", percent: 15 }];
    await set({ taxes: vat, taxNumber: "C001", address: ["1 High Street"] });
    const ofLate = { taxes: vat, taxNumber: "C001", legalName: "First", address: ["1 High Street"] };
    expect((await issue(customer, late))?.shop).toMatchObject(ofLate);
    await set({ taxes: [{ name: "VAT", percent: 20 }], taxNumber: "C002", legalName: "Second", address: [] });
    expect((await issue(customer, early))?.shop).toMatchObject({
      taxes: [],
      taxNumber: "",
      legalName: "First",
    });
    expect((await issue(admin, late))?.shop).toMatchObject(ofLate);
    const now = await issue(customer, await newOrder());
    expect(now?.shop).toMatchObject({
      taxes: [{ name: "VAT", percent: 20 }],
      taxNumber: "C002",
      legalName: "Second",
    });
  });

  test("keeps on an invoice what the owner's files said on the day of issue, even if the files or an admin change it later", async () => {
    const start = (files: object) =>
      open().query("select private.set_first_settings($1::text::jsonb)", [JSON.stringify(files)]);
    const vat = [{ name: "VAT", percent: 15 }];
    const sellers = [
      { registrationNumber: "CS1", email: "one@shop.example", placeOfRegistration: "Accra" },
      { registrationNumber: "CS2", email: "two@shop.example", placeOfRegistration: "Accra" },
      { registrationNumber: "CS3", email: "two@shop.example", placeOfRegistration: "Accra" },
    ];
    const ids: string[] = [];
    for (const files of sellers) {
      await start(files);
      await start(files);
      ids.push(await newOrder());
      await issue(customer, ids.at(-1) ?? "");
    }
    await setSettings(open(), admin, { registrationNumber: "CS4", taxes: vat });
    await start({ registrationNumber: "CS5", email: "five@shop.example" });
    for (const [place, { registrationNumber, email }] of sellers.entries())
      expect((await issue(customer, ids[place] ?? ""))?.shop).toMatchObject({ registrationNumber, email });
    expect((await issue(customer, await newOrder()))?.shop).toMatchObject({
      registrationNumber: "CS4",
      email: "five@shop.example",
    });
  });

  test("refuses to create an invoice for a stranger or show it to them", async () => {
    const stranger = await addCustomer(open());
    const id = await newOrder();
    expect((await refusalOf(issue(stranger, id))).detail).toEqual({ code: "order_not_found" });
    await issue(customer, id);
    const read = (person: SignedIn) =>
      open().as(person, (query) => query("select from public.invoices where order_id = $1", [id]));
    expect(await read(stranger)).toEqual([]);
    expect(await read(customer)).toHaveLength(1);
  });
});
