import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Picture } from "#app/components/picture.tsx";
import { heroPicture } from "./home-pictures.ts";
import type { HomeWords } from "./home-words.ts";

/** The top of the home page. CSS decides before the first paint which of the first two buttons shows. */
export function HomeHero({ words }: { words: HomeWords }) {
  const { headline, headlineEnd, introduction, deliveryPromise } = words;
  return (
    <section aria-labelledby="welcome" className="on-dark overflow-hidden bg-green text-white">
      <div className="page grid md:grid-cols-[1.2fr_1fr] md:gap-x-12 lg:grid-cols-[1.05fr_1fr]">
        <div className="py-12 md:py-20 lg:py-24">
          <h1 id="welcome" className="text-32 sm:text-42">
            {`${headline} `}
            <span className="text-gold">{headlineEnd}</span>
          </h1>
          {(introduction || deliveryPromise) && (
            <p className="mt-5 max-w-[46ch] text-17 text-tint sm:text-20">
              {`${introduction} ${deliveryPromise}`}
            </p>
          )}
          <div className="mt-8 flex flex-wrap gap-3">
            <Link to="/auth" className={`${buttonClass({ variant: "gold", size: "large" })} visitor-only`}>
              Sign In to Shop
            </Link>
            <Link to="/shop" className={`${buttonClass({ variant: "gold", size: "large" })} member-only`}>
              Shop Now
            </Link>
            <Link to="/shop" className={buttonClass({ variant: "on-dark", size: "large" })}>
              Browse Catalog
            </Link>
          </div>
        </div>
        <div className="relative aspect-16/10 max-md:-mx-[clamp(1rem,4vw,2rem)] md:aspect-auto md:-mr-[clamp(1rem,4vw,2rem)] xl:mr-0">
          <Picture
            picture={heroPicture}
            // Wider than its box, because it fills the box's height.
            sizes="(min-width: 1200px) 750px, (min-width: 768px) 1000px, 100vw"
            priority
            className="absolute inset-0 size-full object-cover"
          />
        </div>
      </div>
      <div className="kente-strip" />
    </section>
  );
}
