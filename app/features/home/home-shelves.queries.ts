import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import { inPesewas } from "#shared/text/money.ts";
import { type HomeBook, packed } from "./home-book.ts";

/** The shelves in page order, with their headings; stages are named as in Ghanaian schools. */
const TITLES = {
  newest: "New on our shelves",
  "best-rated": "Best rated by readers",
  "early-years": "Early Years",
  primary: "Primary",
  "lower-secondary": "Lower Secondary and JHS",
  "upper-secondary": "IGCSE and SHS",
  "a-level": "A Level and IB",
} as const;

type ShelfName = keyof typeof TITLES;

/** `course` is the most frequent one among its books, for a link to more of them. */
export type HomeShelf = { name: ShelfName; title: string; course: string | null; books: HomeBook[] };

/** What its cards show: without authors, ISBN and edition, to keep the page within its size budget. */
const COLUMNS =
  "id,title,publisher,price,stock_quantity:for_sale,image_url,course,subject,grade_level,kind,digital_by,average_rating,review_count";

/**
 * The books on the home page: 4 per shelf, 3 on a stage's; shelves without books are left out.
 * @throws BackendFailure
 */
export async function listHomeShelves(client: BackendClient): Promise<HomeShelf[]> {
  const rows = unwrap(await client.rpc("list_home_shelves"));
  const ids = new Set(rows.map(({ book_id }) => book_id));
  const books = unwrap(
    await client
      .from("books")
      .select(COLUMNS)
      .in("id", [...ids]),
  );
  const byId = new Map(books.map((book) => [book.id, packed(inPesewas(book, "price"))]));
  const names = Object.keys(TITLES) as ShelfName[];
  return names.flatMap((name) => {
    const shelf = rows.filter(({ shelf }) => shelf === name).sort((a, b) => a.position - b.position);
    const books = shelf.flatMap(({ book_id }) => byId.get(book_id) ?? []);
    return books.length > 0 ? [{ name, title: TITLES[name], course: mostFrequent(books), books }] : [];
  });
}

function mostFrequent(books: HomeBook[]): string | null {
  const counts = new Map<string, number>();
  for (const { course } of books) if (course) counts.set(course, (counts.get(course) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? null;
}
