import { Carousel, type PictureLink } from "#app/components/carousel.tsx";
import { homePictures } from "./home-pictures.ts";
import { pictureName } from "./picture-links.ts";

const INTERVAL_MS = 4_000;

export function HomeCarousel({ links }: { links: Readonly<Record<string, PictureLink>> }) {
  return (
    <div className="page pt-14 sm:pt-20">
      <Carousel
        label="From our shelves"
        pictures={homePictures}
        linkOf={({ src }) => links[pictureName(src)] ?? null}
        intervalMs={INTERVAL_MS}
        wide={2}
        sizes="(min-width: 1200px) 556px, (min-width: 768px) 46vw, 92vw"
      />
    </div>
  );
}
