import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Carousel } from "#app/components/carousel.tsx";
import { FigureRow } from "#app/components/figure-row.tsx";
import { PageIntro } from "#app/components/page-intro.tsx";
import { aboutPictures } from "#app/features/about/about-pictures.ts";
import { pageHead } from "#app/features/site/head.ts";
import { about, contact, shopBooks } from "#app/features/site/navigation.ts";
import { aboutDescription, aboutFigures } from "#app/features/site/shop-figures.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import type { Route } from "./+types/about.ts";

const INTERVAL_MS = 2_000;

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  const { yearsInWords = "", regions = "" } = loaderData ?? {};
  const description = aboutDescription({ name: currentShop().name, yearsInWords, regions });
  return pageHead(matches, { title: about.label, description, path: about.to });
};

/** Texts that no other page shows. */
export function loader() {
  const { storyIntroduction, story, mission, vision, years, yearsInWords, publishers, regions } =
    currentShop();
  return { storyIntroduction, story, mission, vision, years, yearsInWords, publishers, regions };
}

export default function About({
  loaderData: { storyIntroduction, story, mission, vision, years, publishers, regions },
}: Route.ComponentProps) {
  return (
    <>
      <PageIntro title={about.label}>{storyIntroduction && <p>{storyIntroduction}</p>}</PageIntro>
      <section
        aria-label={story.length > 0 ? "Our story" : "The shop"}
        className="page grid gap-x-16 gap-y-10 pt-12 sm:pt-16 lg:grid-cols-[1fr_1.15fr]"
      >
        {story.length > 0 && (
          <div>
            <h2 className="text-25 sm:text-32">Our story</h2>
            <div className="measure mt-4 flex flex-col gap-4">
              {story.map((paragraph) => (
                <p key={paragraph}>{paragraph}</p>
              ))}
            </div>
          </div>
        )}
        <Carousel
          label={story.length > 0 ? "Our story in pictures" : "In pictures"}
          pictures={aboutPictures}
          intervalMs={INTERVAL_MS}
          wide={1}
          sizes="(min-width: 1200px) 590px, (min-width: 1024px) 50vw, 92vw"
        />
      </section>
      <FigureRow
        label="The shop in figures"
        className="page pt-14 sm:pt-20"
        figures={aboutFigures({ years, publishers, regions })}
      />
      <div className="page grid gap-x-16 gap-y-10 pt-14 empty:hidden sm:pt-20 md:grid-cols-2">
        {mission && (
          <section aria-labelledby="mission">
            <h2 id="mission" className="text-25 sm:text-32">
              Our mission
            </h2>
            <p className="measure mt-3">{mission}</p>
          </section>
        )}
        {vision && (
          <section aria-labelledby="vision">
            <h2 id="vision" className="text-25 sm:text-32">
              Our vision
            </h2>
            <p className="measure mt-3">{vision}</p>
          </section>
        )}
      </div>
      <div className="page flex flex-wrap gap-3 pt-12 pb-20 sm:pb-28">
        <Link to={shopBooks.to} className={buttonClass({ size: "large" })}>
          {shopBooks.label}
        </Link>
        <Link to={contact.to} className={buttonClass({ variant: "secondary", size: "large" })}>
          {contact.label}
        </Link>
      </div>
    </>
  );
}
