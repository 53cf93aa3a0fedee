import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { showPictures } from "#app/lib/browser/saved-data.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Picture, type PictureSource } from "./picture.tsx";
import { useMediaQuery } from "./use-media-query.ts";
import { useRotation } from "./use-rotation.ts";

/** Where a picture leads, and the label on it. */
export type PictureLink = { label: string; to: string };

type CarouselProps = {
  label: string;
  pictures: readonly PictureSource[];
  linkOf?: (picture: PictureSource) => PictureLink | null;
  intervalMs: number;
  /** How many pictures are side by side from 768 px; below that there is always one. */
  wide: 1 | 2;
  sizes: string;
};

/** The spec's mobile breakpoint. */
const wideLayout = "(min-width: 768px)";

/**
 * Pictures that fade into one another. The server does not know how wide the window is: until
 * hydration, CSS alone chooses between the two layouts.
 */
export function Carousel({ label, pictures, linkOf, intervalMs, wide, sizes }: CarouselProps) {
  const isWide = useMediaQuery(wideLayout);
  const isLayoutKnown = isWide !== null;
  const perSlide = isWide === false ? 1 : wide;
  const count = Math.ceil(pictures.length / perSlide);
  const { index, stopped, paused, goTo, togglePaused, holders } = useRotation(count, intervalMs);
  const first = pictures.slice(0, wide).map((_, position) => position);
  const loaded = useLoaded(
    isLayoutKnown ? [...slidePictures(index), ...slidePictures((index + 1) % count)] : first,
  );

  function slidePictures(slide: number): number[] {
    return Array.from({ length: perSlide }, (_, position) => slide * perSlide + position);
  }

  function visibility(picture: number): string {
    if (isLayoutKnown) return Math.floor(picture / perSlide) === index ? "" : "invisible opacity-0";
    if (picture === 0) return "";
    return picture < wide ? "max-md:invisible" : "invisible opacity-0";
  }

  return (
    <section aria-roledescription="carousel" aria-label={label} {...holders}>
      <ul className={`lean-hidden grid gap-4 md:gap-6 ${wide === 2 ? "md:grid-cols-2" : ""}`}>
        {pictures.map((picture, position) => (
          <li
            key={picture.src}
            style={{ aspectRatio: `${picture.width} / ${picture.height}` }}
            className={`slide ${
              wide === 2 && position % 2 === 1 ? "md:col-start-2" : ""
            } ${visibility(position)}`}
          >
            {loaded.has(position) && (
              <Slide link={linkOf?.(picture) ?? null}>
                <Picture picture={picture} sizes={sizes} className="size-full object-cover" />
              </Slide>
            )}
          </li>
        ))}
      </ul>
      <div className="lean-only rounded-card border border-line p-4">
        <p className="mb-3 text-15 text-muted">Pictures are off because your browser is saving data.</p>
        <Button
          variant="secondary"
          onClick={({ currentTarget }) => {
            showPictures();
            goTo(index);
            // This button is hidden now, so the focus moves to the controls.
            currentTarget.closest("section")?.querySelector<HTMLElement>(".lean-hidden button")?.focus();
          }}
        >
          Show pictures
        </Button>
      </div>
      <div className="lean-hidden mt-3 -ml-3 flex flex-wrap items-center gap-1 noscript:hidden">
        <Control label="Previous slide" icon="chevron-left" onClick={() => goTo(index - 1)} />
        <Control label="Next slide" icon="chevron-right" onClick={() => goTo(index + 1)} />
        <button
          type="button"
          aria-label="Pause"
          aria-pressed={paused}
          onClick={togglePaused}
          className={`${controlClass} ${stopped ? "invisible" : ""} motion-reduce:invisible`}
        >
          <svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true">
            <path d={paused ? "M8 5.5v13l10-6.5Z" : "M7 6h3.5v12H7ZM13.5 6H17v12h-3.5Z"} />
          </svg>
        </button>
        <Dots
          pictures={pictures.length}
          wide={wide}
          count={isLayoutKnown ? count : null}
          index={index}
          goTo={goTo}
        />
        <p aria-live={stopped ? "polite" : "off"} className="sr-only">
          {`Slide ${index + 1} of ${count}`}
        </p>
      </div>
    </section>
  );
}

function Slide({ link, children }: { link: PictureLink | null; children: ReactNode }) {
  if (!link) return children;
  return (
    <Link to={link.to} className="group relative block size-full">
      {children}
      <span className="slide-label">
        {link.label}
        <Icon name="arrow-right" size={18} />
      </span>
    </Link>
  );
}

const controlClass = "round-button";

function Control({ label, icon, onClick }: { label: string; icon: IconName; onClick: () => void }) {
  return (
    <button type="button" aria-label={label} onClick={onClick} className={controlClass}>
      <Icon name={icon} />
    </button>
  );
}

type DotsProps = {
  pictures: number;
  wide: number;
  /** Null until the layout is known. */
  count: number | null;
  index: number;
  goTo: (slide: number) => void;
};

function Dots({ pictures, wide, count, index, goTo }: DotsProps) {
  const wideCount = Math.ceil(pictures / wide);
  return (
    <div
      className={`flex flex-wrap max-sm:ml-3 sm:ml-auto md:max-w-none ${pictures > 9 ? "max-w-48" : "max-w-54"}`}
    >
      {Array.from({ length: count ?? pictures }, (_, slide) => slide).map((slide) => (
        <button
          key={slide}
          type="button"
          aria-label={`Go to slide ${slide + 1}`}
          aria-current={slide === index || undefined}
          onClick={() => goTo(slide)}
          className={`group slide-dot ${slide >= wideCount ? "md:hidden" : ""}`}
        >
          <span className="slide-bar" />
        </button>
      ))}
    </div>
  );
}

/** All pictures that have been requested so far: a loaded picture stays in the page. */
function useLoaded(requested: number[]): ReadonlySet<number> {
  const [loaded, setLoaded] = useState<ReadonlySet<number>>(() => new Set(requested));
  const missing = requested.filter((picture) => !loaded.has(picture));
  if (missing.length === 0) return loaded;
  const more = new Set([...loaded, ...missing]);
  setLoaded(more);
  return more;
}
