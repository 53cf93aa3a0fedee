import { type Database, findPostgresProblem, openDatabase, type Query } from "#tests/support/database.ts";
import { milliseconds, percentile, type Section } from "./report.ts";

const BOOKS = Number(process.env.BENCH_BOOKS ?? 1_000_000);
const RUNS = 30;

const visitor = { role: "anon" } as const;

/** The catalogue's queries over a million generated books on PostgreSQL, as a ratio to an empty query. */
export async function measureSearch(): Promise<Section> {
  const problem = await findPostgresProblem();
  const section: Section = {
    title: "The catalogue's queries",
    about: `${BOOKS.toLocaleString("en-GB")} generated books on PostgreSQL, each query ${RUNS} times as a visitor with row level security. The floor is \`catalogue_version()\`.`,
    header: ["Query", "Rows", "p50", "p95", "p50 ratio to floor"],
    rows: [],
  };
  if (problem) return { ...section, about: `Not measured: ${problem}.` };
  const database = await openDatabase();
  try {
    await generateBooks(database);
    const [deep] = await database.query<{ title: string; id: string }>(
      "select title, id from public.books order by title_key, id offset $1 limit 1",
      [Math.floor(BOOKS * 0.9)],
    );
    const queries: [string, string, unknown[]][] = [
      ["catalogue_version()", "select public.catalogue_version()", []],
      ["first page", "select id from public.search_books()", []],
      ["page 100", "select id from public.search_books(_page => 100)", []],
      [
        "a page 90% of the way through, by key",
        "select id from public.search_books(_after_title => $1, _after_id => $2)",
        [deep?.title, deep?.id],
      ],
      ["one publisher", "select id from public.search_books(_publisher => 'Collins')", []],
      ["a word in one book in ten", "select id from public.search_books(_q => 'chemistry')", []],
      ["a rare phrase", "select id from public.search_books(_q => 'stage 7 reader no. 123456')", []],
      ["an ISBN with hyphens", "select id from public.search_books(_q => '978-0-000-12345-')", []],
      ["nothing found", "select id from public.search_books(_q => 'zzzyyyxxx')", []],
      ["count, rare phrase", "select public.count_books(_q => 'stage 7 reader no. 123456')", []],
      ["count, one book in ten (cached with the page)", "select public.count_books(_q => 'chemistry')", []],
      ["count, all (cached with the page)", "select public.count_books()", []],
      ["values to filter by (cached with the page)", "select * from public.list_book_facets()", []],
    ];
    let floor = Number.NaN;
    for (const [name, sql, parameters] of queries) {
      const { times, rows } = await database.as(visitor, (query) => time(query, sql, parameters));
      const p50 = percentile(times, 0.5);
      if (Number.isNaN(floor)) floor = p50;
      section.rows.push([
        name,
        String(rows),
        milliseconds(p50),
        milliseconds(percentile(times, 0.95)),
        (p50 / floor).toFixed(1),
      ]);
    }
    return section;
  } finally {
    await database.close();
  }
}

async function time(query: Query, sql: string, parameters: unknown[]) {
  const times: number[] = [];
  let rows = 0;
  const runs = sql.includes("count_books()") || sql.includes("facets") ? 3 : RUNS;
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    rows = (await query(sql, parameters)).length;
    times.push(performance.now() - startedAt);
  }
  return { times, rows };
}

async function generateBooks(database: Database): Promise<void> {
  await database.run(`
    insert into public.books (title, publisher, isbn, price, stock_quantity, course, subject, grade_level)
    select subject || ' Stage ' || n % 12 || ' Reader no. ' || n,
           (array['Collins', 'CGP', 'Skoldo', 'Hachette Learning', 'Schofield & Sims'])[1 + n % 5],
           '978-0-000-' || lpad((n % 100000)::text, 5, '0') || '-' || n % 10,
           45 + n % 755, n % 120, 'Stage ' || n % 12, subject, 'Year ' || n % 13
    from generate_series(1, ${BOOKS}) n,
         lateral (select (array['Mathematics', 'English', 'Science', 'Physics', 'Chemistry', 'Biology', 'History',
                                'Geography', 'Business', 'Economics'])[1 + (n / 7) % 10] as subject) s;
    analyze public.books;`);
}
