import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap } from "#app/lib/backend/response.ts";
import type { ListedTitle, PageKind, Publisher } from "./publisher.ts";

const CARD_COLUMNS = "name,slug,logo_url,mark,known_for,shown,in_filter";

/**
 * The publishers that customers see, in the shop's order.
 * @throws BackendFailure
 */
export async function listPublishers(client: BackendClient): Promise<Publisher[]> {
  const response = await client.from("publishers").select(CARD_COLUMNS).order("position").order("name_key");
  return unwrap(response) as Publisher[];
}

/**
 * The names of the shop's publishers, for admins also of those that customers don't see.
 * @throws BackendFailure
 */
export async function listPublisherNames(client: BackendClient): Promise<string[]> {
  const response = await client.from("publishers").select("name").order("position").order("name_key");
  return unwrap(response).map(({ name }) => name);
}

/** A publisher with what its page shows. */
export type PublisherRecord = Publisher & {
  id: string;
  description: string | null;
  note: string | null;
  page: PageKind;
  titles: ListedTitle[];
  has_order_links: boolean;
};

/**
 * The publisher of a page, or null if there is none that customers see.
 * @throws BackendFailure
 */
export async function findPublisher(client: BackendClient, slug: string): Promise<PublisherRecord | null> {
  const response = await client
    .from("publishers")
    .select(`${CARD_COLUMNS},id,description,note,page,titles,has_order_links`)
    .eq("slug", slug)
    .neq("shown", "nowhere");
  const [found] = unwrap(response);
  return (found as PublisherRecord | undefined) ?? null;
}

/** A listed title's book in the catalogue; `place` is the title's, from 1. */
export type TitledBook = { place: number; book_id: string; title: string; in_stock: boolean };

/**
 * The books of a publisher's listed titles; titles that the shop does not sell have none.
 * @throws BackendFailure
 */
export async function listTitledBooks(client: BackendClient, publisherId: string): Promise<TitledBook[]> {
  return unwrap(await client.rpc("list_titled_books", { _publisher_id: publisherId }));
}
