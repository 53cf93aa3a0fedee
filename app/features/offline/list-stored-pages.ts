import { CACHES } from "./stored.ts";

/** All orders have the same title, and so do all quotes; their lists link to them. */
const IN_LISTS = /^\/(?:order-confirmation|quotes)\//;

/** The pages that can be read without a connection, most recently visited first. */
export async function listStoredPages(): Promise<{ path: string; title: string }[]> {
  if (!("caches" in window)) return [];
  const cache = await window.caches.open(CACHES.pages);
  const shown = (await cache.keys()).filter(({ url }) => !IN_LISTS.test(new URL(url).pathname));
  const pages = await Promise.all(
    shown.map(async (request) => {
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
