import { beforeAll, expect, test } from "vitest";
import { send } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn } from "#tests/support/people.ts";

describeDatabase("A customer's own order", (open) => {
  let customer: SignedIn;
  let stranger: SignedIn;
  let admin: SignedIn;
  beforeAll(async () => {
    customer = await addCustomer(open());
    stranger = await addCustomer(open());
    admin = await addStaff(open(), "admin");
  });

  const timeline = async (person: SignedIn, id: string) => {
    const rows = await send(open(), [
      person,
      "select step, happened_at from public.order_timeline($1)",
      [id],
    ]);
    return rows.map(({ step }) => step);
  };
  const setStatus = (id: string, status: string) =>
    send(open(), [admin, "update public.orders set status = $1 where id = $2", [status, id]]);
  const pay = (id: string, amount: number) =>
    send(open(), [
      admin,
      "select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', $2, current_date, null, null, false)",
      [id, amount],
    ]);

  test("has a timeline: when it was placed, paid in full, and each status", async () => {
    const id = await order(open(), customer, [[await addBook(open(), { price: 50 }), 2]]);
    expect(await timeline(customer, id)).toEqual(["placed"]);
    await setStatus(id, "processing");
    await pay(id, 40);
    expect(await timeline(customer, id)).toEqual(["placed", "processing"]);
    await pay(id, 60);
    await setStatus(id, "shipped");
    expect(await timeline(customer, id)).toEqual(["placed", "processing", "paid", "shipped"]);
    expect(await timeline(admin, id)).toHaveLength(4);
    expect(await timeline(stranger, id)).toEqual([]);
  });

  test("has a timeline in which a refund follows the payment, and corrected payments do not appear", async () => {
    const id = await order(open(), customer, [[await addBook(open(), { price: 50 }), 2]]);
    await pay(id, 100);
    const [paid] = await open().query("select id from public.payments where order_id = $1", [id]);
    await send(open(), [admin, "select public.correct_payment($1, 'Another order')", [paid?.id]]);
    expect(await timeline(customer, id)).toEqual(["placed"]);
    await pay(id, 30);
    await pay(id, 70);
    await send(open(), [
      admin,
      "select public.record_payment(gen_random_uuid(), $1, 'refund', 'cash', 10, current_date, null, null, false)",
      [id],
    ]);
    expect(await timeline(customer, id)).toEqual(["placed", "paid", "refunded"]);
  });

  const titlesOf = (person: SignedIn, ids: string[]) =>
    send(open(), [person, "select * from public.list_order_titles($1)", [ids]]);

  test("lists an order by its first three titles, in the order of their numbers, with what their covers show", async () => {
    const cover = { publisher: "Aki-Ola", subject: "Mathematics", course: null, image_url: null };
    const volumes = await Promise.all(
      [10, 2, 1, 3].map((number) =>
        addBook(open(), { title: `Aki-Ola ${number}`, publisher: "Aki-Ola", subject: "Mathematics" }),
      ),
    );
    const many = await order(
      open(),
      customer,
      volumes.map((book) => [book, 2]),
    );
    const deleted = await addBook(open(), { title: "Gone", publisher: "Aki-Ola", subject: "Mathematics" });
    const one = await order(open(), customer, [[deleted, 1]]);
    await send(open(), [admin, "delete from public.books where id = $1", [deleted.id]]);
    const rows = await titlesOf(customer, [many, one]);
    expect(rows.find(({ order_id }) => order_id === many)).toEqual({
      order_id: many,
      titles: 4,
      copies: 8,
      has_downloads: false,
      first_titles: [1, 2, 3].map((number) => ({ title: `Aki-Ola ${number}`, ...cover })),
    });
    expect(rows.find(({ order_id }) => order_id === one)).toMatchObject({
      titles: 1,
      copies: 1,
      first_titles: [{ ...cover, title: "Gone", subject: null }],
    });
    expect(await titlesOf(stranger, [many, one])).toEqual([]);
  });

  test("lists an order as having downloads when one of its titles is digital", async () => {
    const [atlas, key] = [await addBook(open()), await addBook(open())];
    const id = await order(open(), customer, [
      [atlas, 1],
      [key, 1],
    ]);
    expect(await titlesOf(customer, [id])).toMatchObject([{ titles: 2, has_downloads: false }]);
    await open().query("update public.order_items set kind = 'digital' where book_id = $1", [key.id]);
    expect(await titlesOf(customer, [id])).toMatchObject([{ titles: 2, has_downloads: true }]);
  });

  type Again = { title: string; wanted: number; added: number; problem: string | null };
  const again = (person: SignedIn, id: string) =>
    open().as(person, (query) => query<Again>("select * from public.order_again($1)", [id]));
  const cartOf = async (person: SignedIn) =>
    open().query(
      "select b.title, c.quantity from public.cart_items c join public.books b on b.id = c.book_id where c.user_id = $1 order by 1",
      [person.id],
    );

  test("is ordered again by one call, which names what is not available", async () => {
    const person = await addCustomer(open());
    const plenty = await addBook(open(), { title: "Plenty", stock: 10 });
    const few = await addBook(open(), { title: "Few", stock: 6 });
    const none = await addBook(open(), { title: "None", stock: 1 });
    const deleted = await addBook(open(), { title: "Gone", stock: 5 });
    const id = await order(open(), person, [
      [plenty, 2],
      [few, 4],
      [none, 1],
      [deleted, 1],
    ]);
    await open().query("delete from public.books where id = $1", [deleted.id]);
    expect(await again(person, id)).toEqual([
      { title: "Few", wanted: 4, added: 4, problem: "few_left" },
      { title: "Gone", wanted: 1, added: 0, problem: "not_sold" },
      { title: "None", wanted: 1, added: 0, problem: "out_of_stock" },
      { title: "Plenty", wanted: 2, added: 2, problem: null },
    ]);
    expect(await cartOf(person)).toEqual([
      { title: "Few", quantity: 4 },
      { title: "Plenty", quantity: 2 },
    ]);
  });

  test("an order whose books are all deleted adds nothing, and says so", async () => {
    const book = await addBook(open(), { title: "The only one", stock: 1 });
    const id = await order(open(), customer, [[book, 1]]);
    await open().query("delete from public.books where id = $1", [book.id]);
    expect(await again(customer, id)).toEqual([
      { title: "The only one", wanted: 1, added: 0, problem: "not_sold" },
    ]);
  });

  test("can be ordered again by no one else", async () => {
    const id = await order(open(), customer, [[await addBook(open()), 1]]);
    for (const person of [stranger, admin]) {
      expect((await refusalOf(again(person, id))).detail).toEqual({ code: "order_not_found" });
      expect(await cartOf(person)).toEqual([]);
    }
  });
});
