import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addBook, addCustomer, addStaff, fillCart } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";
import { changeQuote, quoteOf, requestQuote, requestQuoteFor, sendQuote } from "#tests/support/quotes.ts";

describeOnOwnServerToo("Requesting a quote", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    admin = await addStaff(open(), "admin");
  });

  const ownQuote = async (person: SignedIn, id: string) =>
    (await open().as(person, (query) => query("select * from public.find_own_quote($1)", [id])))[0];

  test("copies the cart with the shop's prices, and the cart stays", async () => {
    const maths = await addBook(open(), { title: "Maths", price: 45.5, stock: 5, isbn: "9780000000002" });
    const reading = await addBook(open(), { title: "Reading", price: 20, stock: 3 });
    await fillCart(open(), customer, [[maths, 2]]);
    await fillCart(open(), customer, [[reading, 30]]);
    const id = await requestQuote(open(), customer, {
      institution: "  Cape\nSchool ",
      message: "For term 2",
    });
    expect(await quoteOf(open(), id)).toMatchObject({
      institution: "Cape School",
      message: "For term 2",
      status: "requested",
      number: null,
      reference: null,
      version: 1,
    });
    expect(await ownQuote(customer, id)).toMatchObject({
      status: "requested",
      valid_until: null,
      lines: [
        {
          title: "Maths",
          isbn: "9780000000002",
          quantity: 2,
          shop_price: 45.5,
          unit_price: null,
          stock: 5,
          requested: true,
        },
        { title: "Reading", quantity: 30, shop_price: 20, unit_price: null, stock: 3 },
      ],
    });
    const cart = await open().query("select from public.cart_items where user_id = $1", [customer.id]);
    expect(cart).toHaveLength(2);
  });

  test("is done once however often it is sent, and not with someone else's id", async () => {
    const book = await addBook(open());
    const school = await addCustomer(open());
    await fillCart(open(), school, [[book, 1]]);
    const id = randomUUID();
    await Promise.all([1, 2, 3].map(() => requestQuote(open(), school, { id })));
    expect(await open().query("select from public.quotes where user_id = $1", [school.id])).toHaveLength(1);
    const other = await addCustomer(open());
    await fillCart(open(), other, [[book, 1]]);
    expect((await refusalOf(requestQuote(open(), other, { id }))).code).toBe("23505");
  });

  test.each([
    ["institution", { institution: " " }, "required"],
    ["institution", { institution: "x".repeat(201) }, "max_length"],
    ["contact_name", { name: "" }, "required"],
    ["contact_email", { email: "abc" }, "email"],
    ["contact_phone", { phone: "xyz" }, "phone"],
    ["message", { message: "x".repeat(2001) }, "max_length"],
  ])("needs a contact that reaches someone: %s %j", async (field, change, rule) => {
    const school = await addCustomer(open());
    await fillCart(open(), school, [[await addBook(open()), 1]]);
    const { code, detail } = await refusalOf(requestQuote(open(), school, change));
    expect([code, detail]).toEqual([
      "PT400",
      expect.objectContaining({ code: "invalid_field", field, rule }),
    ]);
  });

  test("is refused for an empty cart, for a total that no order can have, and more than 20 times a day", async () => {
    const school = await addCustomer(open());
    expect((await refusalOf(requestQuote(open(), school))).detail).toEqual({ code: "cart_empty" });
    const dear = await addBook(open(), { price: 99_999_999 });
    await fillCart(open(), school, [[dear, 2]]);
    expect((await refusalOf(requestQuote(open(), school))).detail).toMatchObject({ field: "total" });
    await open().query("delete from public.cart_items where user_id = $1", [school.id]);
    const book = await addBook(open());
    for (let n = 0; n < 20; n += 1) await requestQuoteFor(open(), school, [[book, 1]]);
    await fillCart(open(), school, [[book, 1]]);
    expect((await refusalOf(requestQuote(open(), school))).detail).toMatchObject({
      code: "too_many_quotes",
      limit: 20,
    });
    await open().query(
      "update public.quotes set created_at = created_at - interval '1 day' where user_id = $1",
      [school.id],
    );
    await requestQuote(open(), school);
  });

  test("shows its customer prices, validity and note only once they are sent, and again after each change", async () => {
    const school = await addCustomer(open());
    const book = await addBook(open(), { price: 50 });
    const id = await requestQuoteFor(open(), school, [[book, 10]]);
    const seen = async () => {
      const { status, note, lines } = (await ownQuote(school, id)) as {
        status: string;
        note: string | null;
        lines: { unit_price: number | null }[];
      };
      return [status, note, lines[0]?.unit_price];
    };
    await changeQuote(open(), admin, id, [[book, 10, 40]], { note: "Ten per cent and more" });
    expect(await seen()).toEqual(["requested", null, null]);
    await sendQuote(open(), admin, id);
    expect(await seen()).toEqual(["sent", "Ten per cent and more", 40]);
    await changeQuote(open(), admin, id, [[book, 10, 38]]);
    expect(await seen()).toEqual(["requested", null, null]);
    const [row] = await open().as(school, (query) => query("select * from public.list_own_quotes()"));
    expect(row).toMatchObject({ id, status: "requested", total: null, copies: 10, found: 1 });
    expect(await ownQuote(customer, id)).toBeUndefined();
  });
});
