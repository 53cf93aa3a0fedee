import { bookCoverUrl } from "#app/features/book-covers/cover-url.ts";
import type { Publisher } from "./publisher.ts";

/** What the grid of publishers shows of one. */
export type GridPublisher = Pick<Publisher, "name" | "slug" | "mark"> & {
  /** The address to load its logo from; null shows its mark. */
  logo: string | null;
  series: string;
};

/** Addresses of logos are found on the server: pages of publishers alone need no code of covers. */
export function gridPublishers(publishers: readonly Publisher[], backendUrl: string): GridPublisher[] {
  return publishers.map(({ name, slug, logo_url, mark, known_for }) => ({
    name,
    slug,
    mark,
    logo: bookCoverUrl(logo_url, backendUrl),
    series: known_for.slice(0, 3).join(", "),
  }));
}
