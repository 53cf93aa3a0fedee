import { CACHES } from "./stored.ts";

/** The pages that can be read without a connection, most recently visited first. */
export async function listStoredPages(): Promise<{ path: string; title: string }[]> {
  if (!("caches" in window)) return [];
  const cache = await window.caches.open(CACHES.pages);
  const pages = await Promise.all(
    (await cache.keys()).map(async (request) => {
      const { pathname, search, searchParams } = new URL(request.url);
      const html = (await (await cache.match(request))?.text()) ?? "";
      const { title } = new DOMParser().parseFromString(html, "text/html");
      return { path: pathname + search, title: [withoutShop(title), ...searchParams.values()].join(", ") };
    }),
  );
  return pages.reverse();
}

/** The shop's name ends every title. */
const withoutShop = (title: string) => title.replace(/ \| [^|]*$/, "");
