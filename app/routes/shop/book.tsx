import { data, redirect, useLocation } from "react-router";
import { BookDetails } from "#app/features/book-page/book-details.tsx";
import { findBook } from "#app/features/book-page/book-page.queries.ts";
import { readBookPage } from "#app/features/book-page/book-page.ts";
import { BookReviews } from "#app/features/book-page/book-reviews.tsx";
import { RelatedBooks } from "#app/features/book-page/related-books.tsx";
import { bookPath, bookSlug } from "#app/features/books/book-address.ts";
import { LoadFailure } from "#app/features/books/load-failure.tsx";
import { loadedOrLost, loadOrFailure } from "#app/features/books/load-or-failure.ts";
import { notFoundHead, pageHead } from "#app/features/site/head.ts";
import { LazyNotFound } from "#app/features/site/lazy-not-found.tsx";
import { pageContext } from "#app/lib/pages/request-context.ts";
import { isUuid } from "#shared/text/uuid.ts";
import type { Route } from "./+types/book.ts";

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (!loaderData?.loaded) return notFoundHead(loaderData?.failure ? "Book" : undefined);
  const { head, jsonLd } = loaderData.loaded;
  return [...pageHead(matches, head), { "script:ld+json": jsonLd }];
};

/** A URL without the title, or with an old one, redirects to the current one. */
export async function loader({ params, context }: Route.LoaderArgs) {
  if (!isUuid(params.bookId)) return notFound();
  const { backend, backendUrl, siteUrl } = context.get(pageContext);
  const result = await loadOrFailure(async () => {
    const book = await findBook(backend, params.bookId);
    if (book && (params.slug ?? "") !== bookSlug(book.title))
      throw redirect(bookPath(book), { status: 301, headers: { "Cache-Control": "max-age=300" } });
    return book && readBookPage(backend, book, { backendUrl, siteUrl });
  });
  const { loaded, failure } = result.data;
  return !loaded && failure === null ? notFound() : result;
}

const notFound = () => data({ loaded: null, failure: null }, { status: 404 });

export const clientLoader = ({ request, serverLoader }: Route.ClientLoaderArgs) =>
  loadedOrLost({ request, serverLoader });

export default function BookPage({ loaderData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const { loaded, failure } = loaderData;
  if (failure !== null)
    return (
      <div className="page pt-12 pb-24">
        <LoadFailure message={failure} tryAgainHref={pathname} />
      </div>
    );
  if (!loaded) return <LazyNotFound />;
  const { book, facts, paragraphs, isOnItsWay, comesOn, newer, ratings, reviews, ofCourse, ofPublisher } =
    loaded;
  return (
    <div className="pb-20">
      {/* Choices made for one book must not carry over to another. */}
      <BookDetails
        key={book.id}
        book={book}
        facts={facts}
        paragraphs={paragraphs}
        isOnItsWay={isOnItsWay}
        comesOn={comesOn}
        newer={newer}
      />
      <BookReviews key={`reviews ${book.id}`} book={book} ratings={ratings} reviews={reviews} />
      <RelatedBooks publisher={book.publisher} ofCourse={ofCourse} ofPublisher={ofPublisher} />
    </div>
  );
}
