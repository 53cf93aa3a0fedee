import { beforeAll, expect, test } from "vitest";
import { bookFields, longestText } from "#app/features/books/book-fields.ts";
import { MAX_QUANTITY } from "#app/features/cart/cart.ts";
import { type ShippingForm, shippingAddress, shippingFields } from "#app/features/delivery/shipping-form.ts";
import { ORDER_STATUSES } from "#app/features/orders/order.ts";
import { returnReasons } from "#app/office/sales/orders/return-form.ts";
import { DELIVERY_METHODS, REGIONS } from "#shared/orders/delivery.ts";
import { paymentMethods } from "#shared/owner/payment-terms.ts";
import { firstShop } from "#shared/owner/settings.ts";
import { emailKinds } from "#shared/shop/email-kinds.ts";
import { SEARCH_LENGTH } from "#shared/text/search-text.ts";
import { isWebAddress } from "#shared/text/web-address.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

/* What both the app and the database have to know, because a page says it before the database is asked. */

describeDatabase("A rule that the app and the database share", (open) => {
  let customer: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    admin = await addStaff(open(), "admin");
  });

  test("an order's statuses", async () => {
    const book = await addBook(open(), { stock: 1 });
    const id = await order(open(), customer, [[book, 1]]);
    const setStatus = (status: string) =>
      open().as(admin, (query) => query("update public.orders set status = $1 where id = $2", [status, id]));
    expect((await refusalOf(setStatus("lost"))).detail).toMatchObject({ choices: ORDER_STATUSES });
    for (const status of ORDER_STATUSES) await setStatus(status);
  });

  test("has one row for each change from one status of an order to another", async () => {
    const rows = await open().query<{ from_status: string; to_status: string }>(
      "select from_status, to_status from private.status_changes()",
    );
    const changes = ORDER_STATUSES.flatMap((from) =>
      ORDER_STATUSES.filter((to) => to !== from).map((to) => `${from} ${to}`),
    );
    expect(rows.map((row) => `${row.from_status} ${row.to_status}`)).toEqual(changes);
  });

  test("why copies of an order come back", async () => {
    const id = await order(open(), customer, [[await addBook(open()), 1]]);
    await open().query("update public.orders set status = 'shipped' where id = $1", [id]);
    const back = open().as(admin, (query) =>
      query(
        `select public.return_copies(gen_random_uuid(), $1, jsonb_build_array(jsonb_build_object('order_item_id', i.id, 'copies', 1)), 'lost')
           from public.order_items i where i.order_id = $1`,
        [id],
      ),
    );
    expect((await refusalOf(back)).detail).toMatchObject({ choices: Object.keys(returnReasons) });
  });

  test("how an order can be paid by hand", async () => {
    const id = await order(open(), customer, [[await addBook(open()), 1]]);
    const record = (method: string) =>
      open().as(admin, (query) =>
        query("select public.record_payment(gen_random_uuid(), $1, 'payment', $2, 1, '2026-11-01', 'T 1')", [
          id,
          method,
        ]),
      );
    const { paystack: _, ...byHand } = paymentMethods;
    expect((await refusalOf(record("paystack"))).detail).toMatchObject({ choices: Object.keys(byHand) });
    for (const method of Object.keys(byHand)) await record(method);
  });

  test("the copies of a title in a cart", async () => {
    const book = await addBook(open(), { stock: 5_000 });
    const add = (copies: number) =>
      open().as(customer, (query) => query("select public.add_to_cart($1, $2)", [book.id, copies]));
    expect((await refusalOf(add(MAX_QUANTITY + 1))).detail).toMatchObject({ code: "invalid_field" });
    await add(MAX_QUANTITY);
  });

  test("what counts as low stock", async () => {
    await addBook(open(), { title: "Just enough", stock: firstShop.lowStock });
    await addBook(open(), { title: "One too few", stock: firstShop.lowStock - 1 });
    const low = await open().as(admin, (query) => query("select title from public.list_low_stock_books(50)"));
    const titles = low.map(({ title }) => title);
    expect(titles).toContain("One too few");
    expect(titles).not.toContain("Just enough");
  });

  test("the difference above which a book is counted again", async () => {
    expect(await open().query("select private.count_again_above() as above")).toEqual([
      { above: firstShop.countAgainAbove },
    ]);
  });

  test("the length limits of a book's texts", async () => {
    const texts = await open().query<{ name: string; at_most: number }>(
      "select name, at_most from private.book_texts()",
    );
    const limits = bookFields.flatMap(({ name, kind }) =>
      kind === "text" ? [[name, longestText(name)]] : [],
    );
    expect(texts.map(({ name, at_most }) => [name, at_most]).sort()).toEqual(limits.sort());
  });

  test("the length limits of an order's texts", async () => {
    const buyer = await addCustomer(open());
    const id = await order(open(), buyer, [[await addBook(open(), { stock: 1 }), 1]]);
    const longest = Object.fromEntries(
      shippingFields.map(({ name, length }) => [name, "a".repeat(length)]),
    ) as ShippingForm;
    const written = {
      recipient_name: longest.fullName,
      recipient_email: longest.email,
      recipient_phone: longest.phone,
      shipping_address: shippingAddress(longest),
    };
    for (const [column, text] of Object.entries(written))
      await open().query(`update public.orders set ${column} = $1 where id = $2`, [text, id]);
    for (const column of ["recipient_name", "recipient_email", "recipient_phone"] as const)
      await expect(
        open().query(`update public.orders set ${column} = $1 where id = $2`, [`${written[column]}a`, id]),
      ).rejects.toThrow("orders_recipient_is_short");
  });

  test("Ghana's regions and the ways of delivery", async () => {
    const [choices] = await open().query(
      "select private.regions() as regions, private.delivery_methods() as methods",
    );
    expect(choices).toEqual({ regions: REGIONS, methods: DELIVERY_METHODS });
    expect(REGIONS).toHaveLength(16);
  });

  test("the kinds of emails, who gets them and what they are about", async () => {
    const [row] = await open().query("select private.email_kinds() as kinds");
    const kinds = Object.entries(emailKinds).map(([kind, { audience, topic }]) => [
      kind,
      { audience, topic },
    ]);
    expect(row?.kinds).toEqual(Object.fromEntries(kinds));
  });

  test("where a search text is cut", async () => {
    const longest = "a".repeat(SEARCH_LENGTH);
    const [row] = await open().query("select private.contains_pattern($1) as pattern", [`${longest}b`]);
    expect(row).toEqual({ pattern: `%${longest}%` });
  });

  test("which addresses may become links", async () => {
    const addresses = [
      ...["https://a.example", "https://a.example/x?y=1#z", "https://a.example:8443/", "https://ä.example/ü"],
      ...[
        "http://a.example",
        "javascript:alert(1)",
        "https://a",
        "https://user@a.example/",
        "//a.example",
        "/a",
        "",
      ],
      ...[
        "https://a.example/<b>",
        "https://a.example/ b",
        "data:text/html,x",
        "HTTPS://a.example",
        'https://a.example/"',
      ],
    ];
    const found = await open().query<{ address: string; fits: boolean }>(
      "select address, private.is_web_address(address) as fits from unnest($1::text[]) as address",
      [addresses],
    );
    expect(found.map(({ fits }) => fits)).toEqual(addresses.map(isWebAddress));
    expect(found.filter(({ fits }) => fits)).toHaveLength(4);
  });
});
