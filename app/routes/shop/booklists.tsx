import { data, redirect, useLocation } from "react-router";
import { PageIntro } from "#app/components/page-intro.tsx";
import { booklistAddress, formatBooklistCode } from "#app/features/booklists/booklist-code.ts";
import { BooklistPage } from "#app/features/booklists/booklist-page.tsx";
import { BooklistSearch } from "#app/features/booklists/booklist-search.tsx";
import { findBooklist, searchBooklists } from "#app/features/booklists/booklists.queries.ts";
import { encodeQr } from "#app/features/booklists/encode-qr.ts";
import { parseBooklistCode } from "#app/features/booklists/typed-booklist-code.ts";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { notFoundHead, pageHead } from "#app/features/site/head.ts";
import { LazyNotFound } from "#app/features/site/lazy-not-found.tsx";
import { booklists } from "#app/features/site/navigation.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import { cutSearchText } from "#shared/text/search-text.ts";
import type { Route } from "./+types/booklists.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData, params }) => {
  const list = loaderData?.loaded?.page?.list;
  if (list)
    return pageHead(matches, {
      title: `${list.class_name}, ${list.school}`,
      description: `The booklist ${list.school_year} with today's prices. Tick what your child needs and order it from ${currentShop().name}.`,
      path: booklistAddress(list.code),
      index: false,
    });
  if (params.code !== undefined) return notFoundHead(loaderData?.failure ? "Booklist" : undefined);
  return pageHead(matches, {
    title: booklists.label,
    description:
      "Find your child's booklist by its code or by the name of the school, and order all of it at once.",
    path: booklists.to,
    index: !loaderData?.loaded?.q,
  });
};

/** A list by its code, at its canonical URL, or the search for one. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { backend, siteUrl } = context.get(pageContext);
  if (params.code !== undefined) {
    const code = parseBooklistCode(params.code);
    if (!code) return notFound();
    if (params.code !== formatBooklistCode(code))
      return redirect(booklistAddress(code), { status: 301, headers: { "Cache-Control": "max-age=300" } });
    const result = await loadOrFailure(async () => {
      const list = await findBooklist(backend, code);
      const qr = encodeQr(siteUrl + booklistAddress(code));
      return { q: "", found: null, page: list && { list, qr, readAt: new Date().toISOString() } };
    });
    return result.data.loaded && !result.data.loaded.page ? notFound() : result;
  }
  const q = cutSearchText(new URL(request.url).searchParams.get("q") ?? "");
  const code = parseBooklistCode(q);
  return loadOrFailure(async () => {
    // A school's name may look like a code.
    if (code && (await findBooklist(backend, code))) throw redirect(booklistAddress(code));
    return { q, found: q ? await searchBooklists(backend, q) : null, page: null };
  });
}

const notFound = () => data({ loaded: null, failure: null }, { status: 404 });

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function Booklists({ loaderData: { loaded, failure } }: Route.ComponentProps) {
  const { pathname, search } = useLocation();
  if (failure !== null)
    return (
      <div className="page pt-12 pb-24">
        <LoadFailure message={failure} tryAgainHref={pathname + search} />
      </div>
    );
  if (!loaded) return <LazyNotFound />;
  if (loaded.page) return <BooklistPage {...loaded.page} />;
  return (
    <>
      <PageIntro title={booklists.label}>
        <p>Has your school given you a code? Type it in and order everything on the list at once.</p>
      </PageIntro>
      <div className="page min-h-80 pt-8 pb-20">
        <BooklistSearch q={loaded.q} found={loaded.found} />
      </div>
    </>
  );
}
