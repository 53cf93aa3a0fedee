import { ClosingCall } from "#app/features/home/closing-call.tsx";
import { HomeCarousel } from "#app/features/home/home-carousel.tsx";
import { HomeHero } from "#app/features/home/home-hero.tsx";
import { WhyChoose } from "#app/features/home/why-choose.tsx";
import { PublisherGrid } from "#app/features/publishers/publisher-grid.tsx";
import { pageHead } from "#app/features/site/head.ts";
import { shop } from "#app/shop.ts";
import type { Route } from "./+types/home.ts";

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, { description: shop.description, path: "/" });

export default function Home() {
  return (
    <>
      <HomeHero />
      <HomeCarousel />
      <section aria-labelledby="publishers" className="page pt-20 sm:pt-28">
        <div className="mb-8 flex flex-wrap items-end justify-between gap-x-12 gap-y-3">
          <h2 id="publishers" className="text-32">
            Six publishers, one order
          </h2>
          <p className="measure text-muted sm:max-w-[44ch]">
            The series your teachers already use, from the first phonics book to the last A level paper.
          </p>
        </div>
        <PublisherGrid />
      </section>
      <WhyChoose />
      <ClosingCall />
    </>
  );
}
