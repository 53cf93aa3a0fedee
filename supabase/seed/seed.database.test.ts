import { expect, it } from "vitest";
import { describeOnEachEngine } from "#tests/support/engines.ts";
import { readDemoCatalogue } from "./demo-catalogue.ts";
import { type Query, seedDemoCatalogue } from "./index.ts";

const { books, reviews, reviewers } = readDemoCatalogue();

describeOnEachEngine("The demo catalogue", (open) => {
  const seed = () => seedDemoCatalogue((text, values) => open().query(text, values));
  async function countOf(table: string, condition = "true"): Promise<number> {
    const [row] = await open().query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${condition}`,
    );
    return row?.count ?? -1;
  }

  it("leaves nothing behind when it fails on the way, and is loaded by the next attempt", async () => {
    const failing: Query = (text, values) => {
      if (!text.includes("insert into public.reviews")) return open().query(text, values);
      const [listOfBooks, listOfReviews] = values.map((value) => JSON.parse(String(value)));
      const twice = [...listOfReviews, listOfReviews[0]];
      return open().query(text, [JSON.stringify(listOfBooks), JSON.stringify(twice)]);
    };
    await expect(seedDemoCatalogue(failing)).rejects.toThrow(/reviews_pkey/);
    expect([await countOf("public.books"), await countOf("public.reviews")]).toEqual([0, 0]);
  });

  it("is loaded whole into an empty shop", async () => {
    expect(await seed()).toBe(books.length);
    expect(await countOf("public.books")).toBe(books.length);
    expect(await countOf("public.reviews")).toBe(reviews.length);
    expect(await countOf("public.profiles", "full_name is not null")).toBe(reviewers.length);
  });

  it("is the catalogue of the files, to the letter", async () => {
    const stored = await open().query(
      `select id, title, publisher, isbn, price::float8 as "priceCedis", stock_quantity, course, subject, grade_level,
              age_range, curriculum_type, edition, description
       from public.books order by created_at desc`,
    );
    expect(stored).toEqual(books);
  });

  it("shows each book's rating as its reviews give it", async () => {
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

  it("brings reviewers who have neither password nor address, are banned and have no rights", async () => {
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
    const sections = await open().query(
      "select section, count(*)::int as books from public.list_cambridge_sections() group by section order by section",
    );
    expect(sections).toEqual([
      { section: "A Level", books: 8 },
      { section: "Primary", books: 8 },
      { section: "Secondary/IGCSE", books: 8 },
    ]);
  });

  it("is no entry of the log of what people did", async () => {
    expect([await countOf("public.audit_log"), await countOf("public.stock_movements")]).toEqual([0, 0]);
  });

  it("stays out of a shop that has any book", async () => {
    await open().query("delete from public.books where id <> $1", [books[0]?.id]);
    expect(await seed()).toBe(0);
    expect(await countOf("public.books")).toBe(1);
  });
});
