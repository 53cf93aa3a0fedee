/** Every original with the names of the files that are made from it. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BuiltInCover } from "#app/features/book-covers/built-in-covers.ts";
import { allCoverColours, type CoverColours } from "#app/features/book-covers/cover-colours.ts";
import type { CoverPicture } from "./lib/cover.ts";
import { drawLinkPicture } from "./lib/link-picture.ts";
import type { Picture } from "./lib/picture.ts";

export interface Original {
  folder: string;
  alt: string;
  width: number;
  height: number;
  svg: string;
  /** AVIF quality. */
  quality: number;
  files: readonly { file: string; width: number; format: "avif" | "webp" | "jpeg" | "png" }[];
  cover?: Pick<BuiltInCover, "slug" | "of">;
  /** For a link preview: the `from` of the cover colours that it uses. */
  coverColour?: string;
}

const here = import.meta.dirname;

async function modulesOf<Module>(folder: string): Promise<Module[]> {
  const files = readdirSync(join(here, folder)).sort();
  return Promise.all(
    files.map((file) => import(pathToFileURL(join(here, folder, file)).href) as Promise<Module>),
  );
}

const hashOf = (svg: string) => createHash("sha256").update(svg).digest("hex").slice(0, 4);

/** Address without size and ending. */
const base = (folder: string, name: string, svg: string) => `/pictures/${folder}/${name}-${hashOf(svg)}`;

const covers = (await modulesOf<{ covers: readonly CoverPicture[] }>("covers")).flatMap(
  (each) => each.covers,
);

/** All covers have one, since pages with books list their names: when one is drawn anew, all are downloaded again. */
export const coversVersion = hashOf(covers.map((cover) => cover.draw()).join());

function fromPicture(folder: string, picture: Picture): Original {
  const svg = picture.draw();
  const address = base(folder, picture.name, svg);
  return {
    folder,
    alt: picture.alt,
    width: picture.width,
    height: picture.height,
    svg,
    quality: 52,
    files: [
      ...[480, 800, 1200].map((width) => ({
        file: `${address}-${width}.avif`,
        width,
        format: "avif" as const,
      })),
      { file: `${address}-800.webp`, width: 800, format: "webp" },
    ],
  };
}

function fromCover(cover: CoverPicture): Original {
  const svg = cover.draw();
  const address = `/pictures/covers/${cover.slug}-${coversVersion}`;
  return {
    folder: "covers",
    alt: "",
    width: 600,
    height: 800,
    svg,
    quality: 52,
    files: [
      ...[300, 600].map((width) => ({ file: `${address}-${width}.avif`, width, format: "avif" as const })),
      // For link previews: messengers show no AVIF.
      { file: `${address}-600.jpg`, width: 600, format: "jpeg" },
    ],
    cover: { slug: cover.slug, of: cover.of ?? "title" },
  };
}

/** The preview of a link to a book with a generated cover: its colours, a matching cloth pattern, the shop's name. */
function fromColours(colours: CoverColours): Original {
  const name = colours.from.slice(1);
  const svg = drawLinkPicture(colours);
  const address = base("links", name, svg);
  return {
    folder: "links",
    alt: "",
    width: 1200,
    height: 630,
    svg,
    quality: 0,
    files: [{ file: `${address}.png`, width: 1200, format: "png" }],
    coverColour: colours.from,
  };
}

/** All originals, in the order of their files. */
export const originals: readonly Original[] = [
  ...(await modulesOf<{ picture: Picture }>("hero")).map(({ picture }) => fromPicture("hero", picture)),
  ...(await modulesOf<{ picture: Picture }>("home")).map(({ picture }) => fromPicture("home", picture)),
  ...(await modulesOf<{ picture: Picture }>("about")).map(({ picture }) => fromPicture("about", picture)),
  ...covers.map(fromCover),
  ...allCoverColours().map(([, colours]) => fromColours(colours)),
];
