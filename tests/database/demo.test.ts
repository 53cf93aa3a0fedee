import { beforeAll, expect, test } from "vitest";
import { cedisFromPesewas } from "#shared/text/money.ts";
import { addBook, addCustomer, addStaff, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey, visitor } from "#tests/support/people.ts";
import { readDemoCatalogue } from "../../supabase/seed/demo-catalogue.ts";
import { demoPublishers, seedDemoPublishers } from "../../supabase/seed/demo-publishers.ts";
import { seedDemoCatalogue } from "../../supabase/seed/index.ts";

const { books, reviews, reviewers } = readDemoCatalogue();

describeDatabase("The demo", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let own: string;
  const demoBook = (at: number) => {
    const book = books[at];
    if (!book) throw new Error("The demo has fewer books.");
    return {
      id: book.id,
      title: book.title,
      price: cedisFromPesewas(book.price),
      stock: book.stock_quantity,
    };
  };
  const [ordered, delivered, edited, restored, imported] = [0, 1, 2, 3, 4].map(demoBook) as [
    ReturnType<typeof demoBook>,
    ReturnType<typeof demoBook>,
    ReturnType<typeof demoBook>,
    ReturnType<typeof demoBook>,
    ReturnType<typeof demoBook>,
  ];
  const hasDemo = async () =>
    (await open().as(visitor, (query) => query("select public.shop_has_demo() as found")))[0]?.found;
  const clear = async (dryRun: boolean) =>
    (await open().as(secretKey, (query) => query("select * from public.clear_demo($1)", [dryRun])))[0];
  const version = async () =>
    (await open().as(visitor, (query) => query("select public.catalogue_version() as n")))[0]?.n;
  const idsOf = async (table: string) =>
    (await open().query<{ id: string }>(`select id from ${table} order by id`)).map(({ id }) => id);

  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
    customer = await addCustomer(open());
  });

  test("is not part of a shop that started without it", async () => {
    expect(await hasDemo()).toBe(false);
    expect(await clear(true)).toEqual({
      books: 0,
      kept_books: 0,
      reviews: 0,
      reviewers: 0,
      orders: 0,
      open_orders: 0,
      booklists: 0,
      publishers: 0,
      kept_publishers: 0,
    });
  });

  test("is counted before it is removed, and what staff edited, imported over or restored is the shop's own", async () => {
    await seedDemoCatalogue((text, values) => open().query(text, values));
    await seedDemoPublishers((text, values) => open().query(text, values));
    expect(await hasDemo()).toBe(true);
    own = (await addBook(open(), { title: "An Atlas", publisher: "Collins" })).id;
    await order(open(), customer, [[ordered, 1]]);
    const shipped = await order(open(), customer, [[delivered, 1]]);
    await open().as(admin, async (query) => {
      await query("update public.orders set status = 'delivered' where id = $1", [shipped]);
      await query("update public.books set price = price + 1 where id = $1", [edited.id]);
      await query("delete from public.books where id = $1", [restored.id]);
      await query(
        "select public.restore_book(id) from public.audit_log where row_id = $1 and action = 'delete'",
        [restored.id],
      );
      const [made] = await query<{ id: string }>("select public.create_book_import() as id");
      const isbn = books.find(({ id }) => id === imported.id)?.isbn;
      await query("select public.stage_book_import_rows($1, $2::jsonb)", [
        made?.id,
        [{ line: 2, title: "Imported over", isbn, price: 5 }],
      ]);
      await query("select public.apply_book_import($1)", [made?.id]);
      // Changed by staff: one whose listed titles go with the demo, and one that lists a title of the shop's own.
      for (const [slug, title] of [
        ["cgp", "KS2 Maths SATS Revision Book"],
        ["collins", "An Atlas"],
      ])
        await query(
          `select public.save_publisher(id, to_jsonb(p) || jsonb_build_object('note', 'Ours', 'titles', $2::jsonb), updated_at)
             from public.publishers p where slug = $1`,
          [slug, [{ title, price: 10 }]],
        );
    });
    expect(await clear(true)).toEqual({
      books: books.length - 3,
      kept_books: 3,
      reviews: reviews.length,
      reviewers: reviewers.length,
      orders: 2,
      open_orders: 1,
      booklists: 0,
      publishers: demoPublishers.length - 2,
      kept_publishers: 2,
    });
    expect((await idsOf("public.books")).length).toBe(books.length + 1);
  });

  test("is removed with its reviewers and without log entries, and orders keep their lines", async () => {
    const before = { audit: await idsOf("public.audit_log"), version: await version() };
    expect(await clear(false)).toMatchObject({ books: books.length - 3, kept_books: 3 });
    expect(await hasDemo()).toBe(false);
    expect(await version()).not.toBe(before.version);
    expect(await idsOf("public.books")).toEqual([own, edited.id, restored.id, imported.id].sort());
    expect(await open().query("select slug, page, note from public.publishers order by slug")).toEqual([
      { slug: "cgp", page: "live", note: "Ours" },
      { slug: "collins", page: "showcase", note: "Ours" },
    ]);
    expect(await idsOf("public.reviews")).toEqual([]);
    expect(await idsOf("auth.users")).toEqual([admin.id, customer.id].sort());
    expect(await idsOf("public.audit_log")).toEqual(before.audit);
    expect(await open().query("select title, book_id from public.order_items order by title")).toEqual(
      [ordered, delivered]
        .map(({ title }) => ({ title, book_id: null }))
        .sort((a, b) => (a.title < b.title ? -1 : 1)),
    );
    expect(await open().query("select id from public.books where review_count > 0")).toEqual([]);
  });

  test("is removed for good", async () => {
    expect(await clear(false)).toMatchObject({ books: 0, kept_books: 0, reviewers: 0 });
    expect((await idsOf("public.books")).length).toBe(4);
  });

  test("is removed only by staff", async () => {
    for (const person of [visitor, customer])
      expect(
        (await refusalOf(open().as(person, (query) => query("select public.clear_demo(false)")))).code,
      ).toMatch(/42501|PT403/);
  });
});
