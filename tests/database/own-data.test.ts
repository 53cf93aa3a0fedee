import { expect, test } from "vitest";
import { addBook, addCustomer, fillCart, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";
import { requestQuote } from "#tests/support/quotes.ts";

type OwnData = Record<"orders" | "quotes" | "reviews" | "cart" | "wishlist" | "payments", object[]> & {
  profile: object;
};

describeDatabase("What a customer takes along", (open) => {
  const ownData = async (person: SignedIn) =>
    (await open().as(person, (query) => query<{ data: OwnData }>("select public.own_data() as data")))[0]
      ?.data;

  test("is everything of theirs, and nothing of anybody else's", async () => {
    const [customer, stranger] = [await addCustomer(open()), await addCustomer(open())];
    const book = await addBook(open(), { title: "Taken along", price: 12.5, stock: 50 });
    for (const person of [customer, stranger]) {
      await order(open(), person, [[book, 2]]);
      await fillCart(open(), person, [[book, 3]]);
      await requestQuote(open(), person);
      await open().as(person, async (query) => {
        await query("insert into public.wishlists (user_id, book_id) values ($1, $2)", [person.id, book.id]);
        await query("select public.write_review($1, 4, $2)", [book.id, `By ${person.id}`]);
      });
    }
    const data = await ownData(customer);
    expect(data).toMatchObject({
      profile: { full_name: "A customer", email: `${customer.id}@shop.test` },
      orders: [
        { total_amount: 25, status: "pending", items: [{ title: "Taken along", quantity: 2, price: 12.5 }] },
      ],
      payments: [],
      quotes: [{ status: "requested", lines: [{ title: "Taken along", unit_price: null }] }],
      reviews: [{ book: "Taken along", rating: 4, review: `By ${customer.id}` }],
      cart: [{ book: "Taken along", quantity: 3 }],
      wishlist: [{ book: "Taken along" }],
    });
    for (const list of ["orders", "quotes", "reviews", "cart", "wishlist"] as const)
      expect(data?.[list]).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain(stranger.id);
    expect(JSON.stringify(data)).not.toContain("search_text");
  });

  test("is a profile and empty lists for a new account", async () => {
    expect(await ownData(await addCustomer(open()))).toMatchObject({
      orders: [],
      quotes: [],
      reviews: [],
      cart: [],
    });
  });
});
