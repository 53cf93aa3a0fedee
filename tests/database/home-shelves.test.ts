import { expect, test } from "vitest";
import { callsOf, countDuring } from "#tests/support/count-during.ts";
import { addBook } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { visitor } from "#tests/support/people.ts";
import { undoing } from "#tests/support/undoing.ts";

describeDatabase("The home page's shelves", (open) => {
  const shelves = (columns: string) =>
    open().as(visitor, (query) =>
      query(
        `select ${columns} from public.list_home_shelves() as h join (select id, title from public.books) as b on b.id = h.book_id`,
      ),
    );

  test.each([
    ["Nursery 1 to Primary 3", null, "early-years"],
    ["Reception", "Big Cat Phonics", "early-years"],
    ["Primary Stage 4", "Cambridge Primary", "primary"],
    ["KS2 and KS3", null, "primary"],
    [null, "Key Stage 1", "primary"],
    ["Basic 3", null, "primary"],
    ["JHS 1 to SHS 3", null, "lower-secondary"],
    ["Lower Secondary Stage 9", null, "lower-secondary"],
    ["Basic 8", null, "lower-secondary"],
    ["IGCSE", null, "upper-secondary"],
    ["KS3 and GCSE", null, "lower-secondary"],
    ["SHS 2", null, "upper-secondary"],
    [null, "A-Level", "a-level"],
    ["A Level", "Cambridge AS & A Level", "a-level"],
    [null, "IB Diploma", "a-level"],
    ["Teachers", "Reference", null],
    [null, null, null],
  ])("assigns the level %j and the course %j to the stage %j", async (level, course, stage) => {
    const [row] = await open().query("select private.stage_of($1, $2) as stage", [level, course]);
    expect(row).toEqual({ stage });
  });

  test("find the stage of a level once, however many books have it", async () => {
    const calls = await undoing(open().transaction, async (query) => {
      await query("delete from public.books");
      await query(`insert into public.books (title, course, price, stock_quantity)
        select 'Reader ' || i, 'Basic ' || i % 3 + 1, 45, 5 from generate_series(1, 60) i`);
      await query("set local track_functions = 'all'");
      return countDuring(query, callsOf("stage_of"), async () =>
        expect(await query("select from public.list_home_shelves() where shelf = 'primary'")).toHaveLength(3),
      );
    });
    expect(calls).toBe(3);
  });

  test("are filled with a few books each, all of them in stock", async () => {
    for (let i = 1; i <= 6; i++) {
      const book = await addBook(open(), {
        title: `Reader ${i}`,
        stock: i === 6 ? 0 : 5,
        grade_level: "KS1",
      });
      await open().query(
        "update public.books set created_at = now() - $2 * interval '1 day', average_rating = $3, review_count = $4 where id = $1",
        [book.id, 10 - i, [4, 5, 5, null, 3, 5][i - 1], [9, 1, 2, 0, 1, 9][i - 1]],
      );
    }
    const sold = await addBook(open(), { title: "Physics", stock: 0, grade_level: "A Level" });
    const found = (await shelves("shelf, position, title")) as unknown as {
      shelf: string;
      position: number;
      title: string;
    }[];
    expect(found.map(({ shelf, position, title }) => `${shelf} ${position} ${title}`)).toEqual([
      ...["Reader 3", "Reader 2", "Reader 1", "Reader 5"].map((title, i) => `best-rated ${i + 1} ${title}`),
      ...["Reader 5", "Reader 4", "Reader 3", "Reader 2"].map((title, i) => `newest ${i + 1} ${title}`),
      ...["Reader 3", "Reader 2", "Reader 1"].map((title, i) => `primary ${i + 1} ${title}`),
    ]);
    await open().query("update public.books set stock_quantity = 1 where id = $1", [sold.id]);
    expect(await shelves("shelf")).toContainEqual({ shelf: "a-level" });
  });
});
