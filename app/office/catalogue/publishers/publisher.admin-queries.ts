import type { ListedTitle, PageKind, Publisher } from "#app/features/publishers/publisher.ts";
import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapWritten } from "#app/lib/backend/response.ts";

/** What staff write of a publisher. */
export type PublisherValues = Publisher & {
  description: string | null;
  note: string | null;
  page: PageKind;
  titles: ListedTitle[];
  has_order_links: boolean;
};

/** `updated_at` shows whether someone else has changed it since; `books` is how many have its name. */
export type PublisherRow = PublisherValues & { id: string; updated_at: string; books: number };

const COLUMNS =
  "id,name,slug,logo_url,mark,description,known_for,note,shown,in_filter,page,titles,has_order_links,updated_at";

/**
 * All publishers in the shop's order, with their number of books.
 * @throws BackendFailure
 */
export async function listPublisherRows(client: BackendClient): Promise<PublisherRow[]> {
  const [rows, counts] = await Promise.all([
    client.from("publishers").select(COLUMNS).order("position").order("name_key").then(unwrap),
    client.rpc("count_publisher_books").then(unwrap),
  ]);
  const books = new Map(counts.map(({ publisher_id, books }) => [publisher_id, books]));
  return rows.map((row) => ({ ...(row as unknown as PublisherRow), books: books.get(row.id) ?? 0 }));
}

/**
 * Adds a publisher, or changes the one that was loaded; a new name is written into its books too.
 * @param loaded null for a new one
 * @throws BackendFailure, with `publisher_changed` when someone else has changed it since
 */
export async function savePublisher(
  client: BackendClient,
  id: string,
  values: PublisherValues,
  loaded: Pick<PublisherRow, "updated_at"> | null,
): Promise<void> {
  unwrap(
    await client.rpc("save_publisher", {
      _id: id,
      _publisher: { ...values, titles: values.titles.map((title) => ({ ...title })) },
      _updated_at: loaded?.updated_at,
    }),
  );
}

/** @throws BackendFailure */
export async function removePublisher(client: BackendClient, id: string): Promise<void> {
  unwrapWritten(await client.from("publishers").delete().eq("id", id).select("id"));
}

/**
 * Puts all publishers into this order.
 * @throws BackendFailure when one has been added or deleted since
 */
export async function orderPublishers(client: BackendClient, ids: string[]): Promise<void> {
  unwrap(await client.rpc("order_publishers", { _ids: ids }));
}

/** A name in books that belongs to no publisher; `is_close` if it looks like the one asked about. */
export type Spelling = { spelling: string; books: number; is_close: boolean };

/**
 * Up to 50 names in books that belong to no publisher, those that look like this publisher's first.
 * @throws BackendFailure
 */
export async function listSpellings(
  client: BackendClient,
  publisherId: string,
  q: string,
): Promise<Spelling[]> {
  return unwrap(
    await client.rpc("list_publisher_spellings", { _publisher_id: publisherId, _q: q || undefined }),
  );
}

/**
 * Gives the books with these spellings the publisher's name, or with `dryRun` changes nothing.
 * @returns how many books of each spelling were, or would be, changed
 * @throws BackendFailure
 */
export async function mergeSpellings(
  client: BackendClient,
  publisherId: string,
  spellings: string[],
  { dryRun }: { dryRun: boolean },
): Promise<{ spelling: string; books: number }[]> {
  return unwrap(
    await client.rpc("merge_publisher_spellings", {
      _publisher_id: publisherId,
      _spellings: spellings,
      _dry_run: dryRun,
    }),
  );
}
