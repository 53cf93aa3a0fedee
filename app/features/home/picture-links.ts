import type { PictureLink } from "#app/components/carousel.tsx";
import type { Facet } from "#app/features/catalogue/catalogue.queries.ts";
import type { Filter } from "#app/features/catalogue/catalogue-query.ts";
import { catalogueHref } from "#app/features/catalogue/catalogue-query.ts";

/** Pictures of something that the shop sells, and the filter that finds it. */
const shown: Record<string, { label: string; filter: Filter; value: string }> = {
  mathematics: { label: "Mathematics", filter: "subject", value: "Mathematics" },
  reading: { label: "English", filter: "subject", value: "English" },
  science: { label: "Science", filter: "subject", value: "Science" },
  stationery: { label: "Stationery", filter: "course", value: "Stationery" },
  "early-years": { label: "Early Years", filter: "course", value: "Early Years" },
  "evening-study": { label: "AS & A Level", filter: "course", value: "Cambridge AS & A Level" },
};

const elsewhere: Record<string, PictureLink> = {
  shelves: { label: "All books", to: "/shop" },
  classroom: { label: "Help with choosing", to: "/guidance" },
};

/** The links of the home page's pictures by name; only those whose filter has books. */
export function pictureLinks(facets: readonly Facet[]): Record<string, PictureLink> {
  const links = { ...elsewhere };
  for (const [name, { label, filter, value }] of Object.entries(shown))
    if (facets.some((one) => one.facet === filter && one.value === value))
      links[name] = { label, to: catalogueHref({ [filter]: value }) };
  return links;
}

/** 'mathematics' of /pictures/home/mathematics-0c47-800.webp. */
export function pictureName(src: string): string {
  return /([a-z-]+)-[0-9a-f]{4}-\d+\.webp$/.exec(src)?.[1] ?? "";
}
