import { Link } from "react-router";
import { Icon } from "#app/components/icon.tsx";
import { about } from "#app/features/site/navigation.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import type { HomeWords } from "./home-words.ts";

export function WhyChoose({ words: { whyChoose, reasons } }: { words: HomeWords }) {
  if (reasons.length === 0) return null;
  return (
    <section
      aria-labelledby="why"
      className="page grid gap-x-16 gap-y-8 pt-20 sm:pt-28 lg:grid-cols-[1fr_2fr]"
    >
      <div className="lg:sticky lg:top-28 lg:self-start">
        <h2 id="why" className="text-32">
          {`Why Choose ${currentShop().name}`}
        </h2>
        {whyChoose && <p className="mt-4 max-w-[40ch] text-muted">{whyChoose}</p>}
        <p className="mt-4">
          <Link to={about.to} className="arrow-link">
            Read our story
            <Icon name="arrow-right" />
          </Link>
        </p>
      </div>
      <ul className="border-t border-line">
        {reasons.map(({ figure, unit, title, text }) => (
          <li key={title} className="reason">
            <p>
              {figure && (
                <>
                  <span className="figures font-display text-42 font-bold text-green">{figure}</span>{" "}
                  <span className="block text-15 text-muted">{unit}</span>
                </>
              )}
            </p>
            <div>
              <h3 className="text-20">{title}</h3>
              <p className="measure mt-1.5 text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
