import { expect, it } from "vitest";
import { bookFieldNames } from "#app/features/books/book-fields.ts";
import { SECTIONS } from "#app/features/publisher-pages/publisher-page.queries.ts";
import { pesewasFromCedis } from "#shared/text/money.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { readDemoBooklists, seedDemoBooklists } from "./demo-booklists.ts";
import { readDemoCatalogue } from "./demo-catalogue.ts";
import { demoPublishers, seedDemoPublishers } from "./demo-publishers.ts";
import { markDemoRows, type Query, seedDemoCatalogue } from "./index.ts";

const { books, reviews, reviewers } = readDemoCatalogue();

describeDatabase("The demo catalogue", (open) => {
  const seed = () => seedDemoCatalogue((text, values) => open().query(text, values));
  async function countOf(table: string, condition = "true"): Promise<number> {
    const [row] = await open().query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${condition}`,
    );
    return row?.count ?? -1;
  }

  it("leaves nothing behind when it fails halfway, and is loaded by the next attempt", async () => {
    const failing: Query = (text, values) => {
      if (!text.includes("insert into public.reviews")) return open().query(text, values);
      const [listOfBooks, listOfReviews] = values.map((value) => JSON.parse(String(value)));
      const twice = [...listOfReviews, listOfReviews[0]];
      return open().query(text, [JSON.stringify(listOfBooks), JSON.stringify(twice)]);
    };
    await expect(seedDemoCatalogue(failing)).rejects.toThrow(/reviews_pkey/);
    for (const table of ["public.books", "public.reviews", "private.demo_rows"])
      expect([table, await countOf(table)]).toEqual([table, 0]);
  });

  it("is loaded completely into an empty shop", async () => {
    expect(await seed()).toBe(books.length);
    expect(await countOf("public.books")).toBe(books.length);
    expect(await countOf("public.reviews")).toBe(reviews.length);
    expect(await countOf("public.profiles", "full_name is not null")).toBe(reviewers.length);
  });

  it("is marked as the demo, even in a shop that got it before it was marked", async () => {
    const all = books.length + reviewers.length;
    expect(await countOf("private.demo_rows")).toBe(all);
    await open().query("delete from private.demo_rows");
    await markDemoRows((text, values) => open().query(text, values));
    expect(await countOf("private.demo_rows")).toBe(all);
  });

  it("is exactly the catalogue in the files", async () => {
    const stored = await open().query<{ price: string }>(
      `select id, ${bookFieldNames.join()} from public.books order by created_at desc`,
    );
    expect(stored.map((book) => ({ ...book, price: pesewasFromCedis(Number(book.price)) }))).toEqual(books);
  });

  it("shows each book's rating as computed from its reviews", async () => {
    const rated = await open().query<{ id: string; average: number; count: number }>(
      "select id, average_rating::float8 as average, review_count as count from public.books where review_count > 0",
    );
    expect(rated.length).toBe(new Set(reviews.map((review) => review.book_id)).size);
    for (const { id, average, count } of rated) {
      const ratings = reviews.filter((review) => review.book_id === id).map((review) => review.rating);
      expect(count).toBe(ratings.length);
      expect(average).toBeCloseTo(ratings.reduce((sum, rating) => sum + rating, 0) / count, 2);
    }
  });

  it("adds reviewers who have neither password nor address, are banned and have no rights", async () => {
    const ids = reviewers.map((reviewer) => `'${reviewer.id}'`).join();
    expect(await countOf("auth.users", `id in (${ids})`)).toBe(reviewers.length);
    expect(
      await countOf(
        "auth.users",
        "encrypted_password is null and email is null and banned_until > '2900-01-01'",
      ),
    ).toBe(reviewers.length);
    expect(await countOf("public.user_roles")).toBe(0);
  });

  it("fills the three sections of the Cambridge page with eight books each", async () => {
    for (const section of SECTIONS)
      expect(
        await countOf(`public.list_publisher_books('Cambridge University Press', '${section}')`),
        section,
      ).toBe(8);
  });

  it("adds nothing to the activity log", async () => {
    expect([await countOf("public.audit_log"), await countOf("public.stock_movements")]).toEqual([0, 0]);
  });

  it("is not loaded into a shop that has any book", async () => {
    await open().query("delete from public.books where id <> $1", [books[0]?.id]);
    expect(await seed()).toBe(0);
    expect(await countOf("public.books")).toBe(1);
  });
});

describeDatabase("The demo's publishers", (open) => {
  const query: Query = (text, values) => open().query(text, values);

  it("are added without log entries, unless the shop has one, and every title that they list is in stock", async () => {
    await seedDemoCatalogue(query);
    await seedDemoPublishers(query);
    await seedDemoPublishers(query);
    const rows = await open().query<{ name: string; titles: number; sold: number }>(
      `select name, jsonb_array_length(titles) as titles,
              (select count(*)::int from public.list_titled_books(p.id) where in_stock) as sold
         from public.publishers p order by position`,
    );
    expect(rows.map(({ name }) => name)).toEqual(demoPublishers.map(({ name }) => name));
    for (const { name, titles, sold } of rows) expect(sold, name).toBe(titles);
    expect(await open().query("select id from public.audit_log")).toEqual([]);
    await open().query("delete from public.publishers where slug <> 'cgp'");
    await seedDemoPublishers(query);
    expect(await open().query("select slug from public.publishers")).toEqual([{ slug: "cgp" }]);
  });
});

describeDatabase("The demo's booklists", (open) => {
  const query: Query = (text, values) => open().query(text, values);
  const countLists = async () => (await open().query("select id from public.booklists")).length;
  const { lists, lines } = readDemoBooklists();

  it("are loaded once, only into a shop with the demo's books, and deleted with them, except one that staff changed", async () => {
    await seedDemoBooklists(query);
    expect(await countLists()).toBe(0);
    await seedDemoCatalogue(query);
    await seedDemoBooklists(query);
    await seedDemoBooklists(query);
    expect(await countLists()).toBe(lists.length);
    expect(await open().query("select id from public.booklist_lines")).toHaveLength(lines.length);
    expect(await open().query("select id from public.audit_log")).toEqual([]);
    const [kept] = lists;
    await open().query("update public.booklists set introduction = 'Ours' where id = $1", [kept?.id]);
    for (const dryRun of [true, false])
      expect(await open().query("select booklists from public.clear_demo($1)", [dryRun])).toEqual([
        { booklists: lists.length - 1 },
      ]);
    expect(await open().query("select id from public.booklists")).toEqual([{ id: kept?.id }]);
  });

  it("are from three schools, in every status, with every kind of line", () => {
    expect(new Set(lists.map(({ school }) => school)).size).toBe(3);
    expect(new Set(lists.map(({ status }) => status))).toEqual(new Set(["draft", "published", "withdrawn"]));
    const sold = books.filter(({ stock_quantity }) => stock_quantity > 0).map(({ id }) => id);
    const published = new Set(lists.filter(({ status }) => status === "published").map(({ id }) => id));
    const shown = lines.filter((line) => published.has(line.booklist_id));
    expect(shown.some(({ book_id }) => book_id === null)).toBe(true);
    expect(shown.some(({ book_id }) => book_id !== null && !sold.includes(book_id))).toBe(true);
    expect(shown.some(({ is_required }) => !is_required)).toBe(true);
  });
});
