import { lazy, Suspense } from "react";
import { listBookFacets } from "#app/features/catalogue/catalogue.queries.ts";
import { BooklistBand } from "#app/features/home/booklist-band.tsx";
import { ClosingCall } from "#app/features/home/closing-call.tsx";
import { HomeCarousel } from "#app/features/home/home-carousel.tsx";
import { HomeHero } from "#app/features/home/home-hero.tsx";
import { listHomeShelves } from "#app/features/home/home-shelves.queries.ts";
import { homeWords } from "#app/features/home/home-words.ts";
import { firstInteraction } from "#app/features/home/lazy-shelves.ts";
import { pictureLinks } from "#app/features/home/picture-links.ts";
import { ShelfLinks } from "#app/features/home/shelf-links.tsx";
import { WhyChoose } from "#app/features/home/why-choose.tsx";
import { gridPublishers } from "#app/features/publishers/grid-publishers.ts";
import { manyPublishers } from "#app/features/publishers/many-publishers.ts";
import { listPublishers } from "#app/features/publishers/publisher.queries.ts";
import { PublisherGrid } from "#app/features/publishers/publisher-grid.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { isBackendFailure, logFailure } from "#app/lib/backend/failure-message.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { pageContext } from "#app/lib/pages/request-context.ts";
import type { Route } from "./+types/home.ts";

/** Below the fold: server-rendered, and hydrated after the visitor's first interaction. */
const FirstShelf = lazy(async () => {
  await firstInteraction();
  const { FirstShelf } = await import("#app/features/home/home-shelves.tsx");
  return { default: FirstShelf };
});
const HomeShelves = lazy(async () => {
  await firstInteraction();
  const { HomeShelves } = await import("#app/features/home/home-shelves.tsx");
  return { default: HomeShelves };
});

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, { description: currentShop().description, path: "/" });

/** Without the catalogue the page has everything but the shelves and publishers. */
export async function loader({ context }: Route.LoaderArgs) {
  const { backend, backendUrl, cached } = context.get(pageContext);
  const words = homeWords(currentShop());
  try {
    const [shelves, facets, publishers] = await Promise.all([
      listHomeShelves(backend),
      cached("facets", () => listBookFacets(backend)),
      cached("publishers", () => listPublishers(backend)),
    ]);
    return {
      words,
      shelves,
      links: pictureLinks(facets),
      publishers: gridPublishers(
        publishers.filter(({ shown }) => shown === "menu"),
        backendUrl,
      ),
    };
  } catch (error) {
    if (!isBackendFailure(error)) throw error;
    logFailure("Failed to read the home page's shelves", error);
    return { words, shelves: [], links: pictureLinks([]), publishers: [] };
  }
}

export default function Home({ loaderData: { words, shelves, links, publishers } }: Route.ComponentProps) {
  const [first, ...others] = shelves;
  return (
    <>
      <HomeHero words={words} />
      <ShelfLinks shelves={shelves} />
      {first && (
        <div data-late="">
          <Suspense fallback={null}>
            <FirstShelf shelf={first} />
          </Suspense>
        </div>
      )}
      <HomeCarousel links={links} />
      <BooklistBand />
      {publishers.length > 0 && (
        <section aria-labelledby="publishers" className="page pt-20 sm:pt-28">
          <div className="mb-8 flex flex-wrap items-end justify-between gap-x-12 gap-y-3">
            <h2 id="publishers" className="text-32">
              {`${manyPublishers(publishers.length)}, one order`}
            </h2>
            {words.publishersIntroduction && (
              <p className="measure text-muted sm:max-w-[44ch]">{words.publishersIntroduction}</p>
            )}
          </div>
          <PublisherGrid publishers={publishers} />
        </section>
      )}
      <WhyChoose words={words} />
      <ClosingCall />
      {others.length > 0 && (
        // Not laid out until near the viewport. Until then it reserves the tallest height the shelves can have (on a wide
        // window), so Back can restore any scroll position.
        <div data-late="" className="[contain-intrinsic-height:auto_288rem] [content-visibility:auto]">
          <Suspense fallback={null}>
            <HomeShelves shelves={others} />
          </Suspense>
        </div>
      )}
    </>
  );
}
