import { beforeAll, expect, test } from "vitest";
import { searchCall } from "#tests/support/book-search.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import { inGateOrLong } from "#tests/support/long.ts";
import { visitor } from "#tests/support/people.ts";
import { fc } from "#tests/support/properties.ts";

/*
 * However the catalogue looks its books up, it must find what reading every book would find. The reference knows no pattern, index or
 * shortcut: it compares letter by letter, book after book.
 */

type Search = { q: string; publisher: string | null; kind: string | null; page: number; size: number };
type Found = { ids: string[]; total: number; facets: unknown[] };

const reference = `
  with typed as (
    select private.fold(private.clean_line(left($1, 200))) as text,
           regexp_replace(left($1, 200), '[[:space:]-]', '', 'g') as digits
  ), described as (
    select b.*, concat_ws(E'\\n', private.fold(title), private.fold(authors), private.fold(publisher), private.fold(course), private.fold(subject),
                          private.fold(isbn), isbn13, lower(private.book_code(isbn)), private.fold(description)) as text
      from public.books b
  ), searched as (
    select b.* from described b, typed t
     where coalesce(t.text, '') = '' or strpos(b.text, t.text) > 0
        or t.digits ~ '^[0-9]{3,12}[0-9xX]$'
           and (strpos(b.text, lower(t.digits)) > 0 or strpos(b.text, lower(private.isbn_key(t.digits))) > 0)
  ), fitting as (select * from searched where ($2::text is null or publisher = $2) and ($5::text is null or kind = $5))
  select array(select id from fitting order by title_key, id limit $4::int offset ($3::int - 1) * $4::int) as ids,
         (select count(*) from fitting)::int as total,
         (select coalesce(json_agg(json_build_array(facet, value, books) order by facet, private.fold(value) collate "C", value), '[]')
            from (select facet, value, count(*) as books
                    from searched, lateral (values ('publisher', publisher), ('course', course), ('subject', subject)) as f (facet, value)
                   where value is not null group by facet, value) as counted) as facets`;

// From everywhere to nowhere, with what means something to LIKE, to format and to JSON, and parts of ISBNs.
const words = [
  "volume",
  "Ama",
  "école",
  "ECOLE",
  "o’brien",
  "o'brien",
  "100%",
  "_",
  "%",
  "\\",
  '"',
  "zz end",
  "ɛkɔ",
  "ɔ ɣ",
  "ŋ",
  "яз",
  "学",
  "nowhere",
];
const searches: fc.Arbitrary<Search> = fc.record({
  q: fc.oneof(
    fc.constantFrom(
      ...words,
      "",
      "  ",
      "978-0-306",
      "0306406152",
      "030640615x",
      "1234567",
      "%L",
      "a",
      "me v",
    ),
    fc
      .array(fc.constantFrom(...words, "7", "42", "a", "*"), { minLength: 1, maxLength: 3 })
      .map((all) => all.join(" ")),
    fc
      .string({ maxLength: 4, unit: "grapheme" })
      .filter((text) => !text.includes("\0") && text.isWellFormed()),
  ),
  publisher: fc.constantFrom(null, null, "Collins", "CGP", "nobody"),
  kind: fc.constantFrom(null, null, "book", "digital", "stationery", "toy"),
  page: fc.constantFrom(1, 2, 5, 30),
  size: fc.constantFrom(1, 24, 100),
});

describeOnOwnServerToo("Looking books up", (open) => {
  beforeAll(async () => {
    await open().run(`
      insert into public.books (title, authors, publisher, course, subject, isbn, description, price, kind)
      select case when i > 1950 then 'End zz ' || i when i > 1900 then 'Zz end ' || i when i % 7 = 0 then 'École ' || i % 90 else 'Volume ' || i % 300 end,
             case i % 3 when 0 then 'Ama O’Brien' when 1 then '"Kofi" 100% \\_' else 'Ɛkɔ ɣe Язык 数学' end,
             (array['Collins', 'CGP', null, 'Ébène'])[1 + i % 4], 'Course ' || i % 6, case when i % 5 > 0 then 'Subject ' || i % 5 end,
             case when i % 11 = 0 then '030640615' || i % 10 when i % 13 = 0 then '978-0-306-40615-7' else 'AB-' || i end,
             case when i % 2 = 0 then 'a volume of the series' end, 45,
             case when i % 17 = 0 then 'digital' when i % 9 = 0 then 'stationery' else 'book' end
        from generate_series(1, 2000) i;
      analyze public.books;`);
  });

  const ask = (search: Search): Promise<{ expected: Found; found: Found; page: Found }> =>
    open().as(visitor, async (query) => {
      const { size, ...of } = search;
      const values = [{ ...of, page_size: size }, search.q];
      const [expected] = await query<Found>(reference, [
        search.q,
        search.publisher,
        search.page,
        size,
        search.kind,
      ]);
      const [found] = await query<Found>(
        `select array(select id from ${searchCall("search_books")}) as ids, ${searchCall("count_books")}::int as total,
                (select coalesce(json_agg(json_build_array(facet, value, books)), '[]') from public.list_book_facets(_q => $2)) as facets`,
        values,
      );
      const [{ page }] = (await query(
        `select ${searchCall("catalogue_page", "'{id}', _with_total => true, _with_facets => true")} as page`,
        values.slice(0, 1),
      )) as [{ page: { books: { id: string }[]; total: number; facets: Record<string, unknown>[] } }];
      return {
        expected: expected as Found,
        found: found as Found,
        page: {
          ids: page.books.map(({ id }) => id),
          total: page.total,
          facets: page.facets.map(({ facet, value, books }) => [facet, value, books]),
        },
      };
    });

  test("finds, counts and sorts exactly what reading every book would find, whatever is typed", {
    tags: "long",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(searches, async (search) => {
        const { expected, found, page } = await ask(search);
        expect(found).toEqual(expected);
        expect(page).toEqual(expected);
      }),
      { numRuns: inGateOrLong(25, 600) },
    );
  });

  test("sorted by best match, the pages have the same books as sorted by title, each once", async () => {
    await fc.assert(
      fc.asyncProperty(searches, async ({ size, page: _, ...search }) => {
        const [byTitle, byMatch] = await open().as(visitor, async (query) => {
          const all = await query<{ id: string }>(`select id from ${searchCall("search_books")}`, [
            { ...search, page_size: 1000 },
          ]);
          const pages: string[] = [];
          const pageSize = Math.max(size, 24);
          for (let page = 1; page <= Math.ceil(all.length / pageSize); page += 1) {
            const [{ found }] = (await query(
              `select ${searchCall("catalogue_page", "'{id}', _with_total => true")} as found`,
              [{ ...search, sort: "best", page, page_size: pageSize }],
            )) as [{ found: { books: { id: string }[]; total: number } }];
            pages.push(...found.books.map(({ id }) => id));
            if (all.length < 1000) expect(found.total).toBe(all.length);
          }
          return [all.map(({ id }) => id), pages];
        });
        expect(new Set(byMatch).size).toBe(byMatch.length);
        // Of more than a thousand, the first thousand by match are others than by title.
        if (byTitle.length < 1000) expect(byMatch.toSorted()).toEqual(byTitle.toSorted());
      }),
      { numRuns: inGateOrLong(15, 200) },
    );
  });

  test("a page by key continues where the one before it ended, in both directions", async () => {
    const turn = (search: Search, key: string, from: { title: string; id: string }) =>
      open().as(visitor, (query) =>
        query<{ id: string }>(`select id from ${searchCall("search_books")}`, [
          {
            q: search.q,
            publisher: search.publisher,
            page_size: search.size,
            [`${key}_title`]: from.title,
            [`${key}_id`]: from.id,
          },
        ]),
      );
    await fc.assert(
      fc.asyncProperty(searches, async ({ size, ...search }) => {
        const two = await open().as(visitor, (query) =>
          query<{ id: string; title: string }>(`select id, title from ${searchCall("search_books")}`, [
            { q: search.q, publisher: search.publisher, page_size: size * 2 },
          ]),
        );
        fc.pre(two.length === size * 2);
        const ids = two.map(({ id }) => id);
        const next = await turn({ ...search, size }, "after", two[size - 1] as never);
        expect(next.map(({ id }) => id)).toEqual(ids.slice(size));
        const previous = await turn({ ...search, size }, "before", two[size] as never);
        expect(previous.map(({ id }) => id)).toEqual(ids.slice(0, size));
      }),
      { numRuns: inGateOrLong(10, 200) },
    );
  });

  // Of a text without trigrams, the index would propose every book; of one whose words it knew apart, those with the words elsewhere.
  test.for(["kɔ", "ɔ ɣ", "яз", "学", "zz end"])(
    "the trigram index proposes just the books with %s",
    async (q) => {
      const [plan, total] = await open().as(visitor, async (query) => {
        await query("set local enable_seqscan = off");
        const [row] = await query<{ conditions: string }>(
          "select private.counting_conditions(jsonb_populate_record(null::public.book_search, $1)) as conditions",
          [{ q }],
        );
        const [run] = await query(
          `explain (analyze, format json) select count(*) from public.books b where ${row?.conditions}`,
        );
        const [counted] = await query<{ total: number }>(
          `select ${searchCall("count_books")}::int as total`,
          [{ q }],
        );
        return [JSON.stringify(run), counted?.total];
      });
      const [, proposed] =
        /"Bitmap Index Scan".*?"Index Name":"books_search".*?"Actual Rows":(\d+)/.exec(plan) ?? [];
      expect(total).toBeGreaterThan(0);
      expect(Number(proposed)).toBe(total);
    },
  );

  test("word_text of all fields equals search_form of each field, joined", async () => {
    const piece = fc.constantFrom(
      "Maths",
      "and",
      " and ",
      "And",
      "'",
      "O’",
      "7",
      "JHS1",
      "x1y",
      "11+",
      "|",
      " ",
      "  ",
      "(",
      "é",
      "\ue000",
      "ɔ",
      "&",
      "-",
      "\t",
      "a",
      "Ω",
      "学",
      "",
    );
    const field = fc.oneof(
      fc.constant(null),
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
    );
    const books = fc.array(fc.array(field, { minLength: 7, maxLength: 7 }), { minLength: 50, maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(books, async (all) => {
        const differing = await open().query(
          `select fields, at_once, one_by_one from (
            select fields, private.word_text(fields) as at_once,
                   ' ' || (select string_agg(coalesce(private.search_form(f.text), ''), ' | ' order by f.place)
                             from unnest(fields) with ordinality as f (text, place)) || ' ' as one_by_one
              from (select array(select jsonb_array_elements_text(book)) as fields
                      from jsonb_array_elements($1::text::jsonb) as book) as books) as both_ways
           where at_once <> one_by_one`,
          [JSON.stringify(all)],
        );
        expect(differing).toEqual([]);
      }),
      { numRuns: inGateOrLong(5, 50) },
    );
  });
});
