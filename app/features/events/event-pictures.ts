import type { PictureSource } from "#app/components/picture.tsx";
import { aboutPictures } from "#app/features/about/about-pictures.ts";
import { homePictures } from "#app/features/home/home-pictures.ts";
import type { EventKind } from "./event-kinds.ts";

/** The shop's own drawing for each kind of event, by the name of its file. For loaders: browsers need only the chosen ones. */
const names: Readonly<Record<EventKind, string>> = {
  training: "about/workshop",
  exhibition: "home/market-stall",
  reading: "home/story-circle",
  school_visit: "home/classroom",
  other: "home/shelves",
};

/** @throws Error if a picture named here is missing */
export function eventPicture(kind: EventKind): PictureSource {
  const picture = [...homePictures, ...aboutPictures].find(({ src }) =>
    src.startsWith(`/pictures/${names[kind]}-`),
  );
  if (!picture) throw new Error(`There is no picture ${names[kind]}`);
  return picture;
}
