import { data } from "react-router";
import { booklistAddress } from "#app/features/booklists/booklist-code.ts";
import { BooklistPoster } from "#app/features/booklists/booklist-poster.tsx";
import { findBooklist } from "#app/features/booklists/booklists.queries.ts";
import { encodeQr } from "#app/features/booklists/encode-qr.ts";
import { parseBooklistCode } from "#app/features/booklists/typed-booklist-code.ts";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { notFoundHead, pageHead } from "#app/features/site/head.ts";
import { LazyNotFound } from "#app/features/site/lazy-not-found.tsx";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/booklist-poster.ts";

export const meta: Route.MetaFunction = ({ matches, params, loaderData }) => {
  if (!loaderData?.loaded) return notFoundHead(loaderData?.failure ? "Poster" : undefined);
  const { class_name, school } = loaderData.loaded.list;
  return pageHead(matches, {
    title: `Poster: ${class_name}, ${school}`,
    description: "A page for the notice board with the address of a booklist.",
    path: `/lists/${params.code}/poster`,
    index: false,
  });
};

export async function loader({ params, context }: Route.LoaderArgs) {
  const { backend, siteUrl } = context.get(pageContext);
  const code = parseBooklistCode(params.code);
  const result = await loadOrFailure(async () => {
    const found = code ? await findBooklist(backend, code) : null;
    if (!found) return null;
    const { lines, introduction, updated_at, ...list } = found;
    const address = siteUrl + booklistAddress(list.code);
    return { list, qr: encodeQr(address), address: address.replace(/^https?:\/\//, "") };
  });
  const { loaded, failure } = result.data;
  return loaded || failure !== null ? result : data({ loaded: null, failure: null }, { status: 404 });
}

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function Poster({ loaderData: { loaded, failure }, params }: Route.ComponentProps) {
  if (loaded) return <BooklistPoster {...loaded} />;
  if (failure === null) return <LazyNotFound />;
  return (
    <div className="page pt-12 pb-24">
      <LoadFailure message={failure} tryAgainHref={`/lists/${params.code}/poster`} />
    </div>
  );
}
