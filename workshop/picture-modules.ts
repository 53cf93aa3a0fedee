/** The modules that list the app's pictures. */
import { coversVersion, type Original } from "./pictures/originals.ts";

const note = (folder: string) =>
  `/** Written by \`npm run draw -- pictures\` from workshop/pictures/${folder}: change it there. */\n`;

/** One picture as the app's Picture component takes it. */
function entry(original: Original): string {
  const avif = original.files.filter((file) => file.format === "avif");
  const webp = original.files.find((file) => file.format === "webp");
  return `{
    src: ${JSON.stringify(webp?.file)},
    srcSet: ${JSON.stringify(avif.map(({ file, width }) => `${file} ${width}w`).join(", "))},
    width: ${original.width},
    height: ${original.height},
    alt: ${JSON.stringify(original.alt)},
  }`;
}

function list(name: string, doc: string, originals: readonly Original[], folder: string): string {
  const entries = originals.filter((original) => original.folder === folder).map(entry);
  return `/** ${doc} */\nexport const ${name}: readonly PictureSource[] = [${entries.join(", ")}];\n`;
}

const importLine = 'import type { PictureSource } from "#app/components/picture.tsx";\n\n';

export function homeModule(originals: readonly Original[]): string {
  const hero = originals.find((original) => original.folder === "hero");
  return (
    importLine +
    note("home and workshop/pictures/hero") +
    (hero
      ? `\n/** The shop itself, for the top of the home page. */\nexport const heroPicture: PictureSource = ${entry(hero)};\n`
      : "") +
    `\n${list("homePictures", "The carousel's sixteen pictures, in their order.", originals, "home")}`
  );
}

export function aboutModule(originals: readonly Original[]): string {
  return `${importLine}${note("about")}\n${list("aboutPictures", "The shop's story in nine pictures, in their order.", originals, "about")}`;
}

export function coversModule(originals: readonly Original[]): string {
  const covers = originals.flatMap(({ cover }) => cover ?? []);
  const fields = [...new Set(covers.map(({ of }) => of))];
  const lines = fields.map((field) => {
    const list = covers.filter(({ of }) => of === field).map(({ slug }) => slug);
    return `  ${field}: ${JSON.stringify(list.join(" "))},`;
  });
  return `${note("covers")}
export interface BuiltInCover {
  /** What the slug of the book's field must be; a title may also go on after it. */
  slug: string;
  of: "title" | "publisher" | "subject" | "course";
  /** Address without size and ending: \`\${file}-300.avif\`. */
  file: string;
}

/** A hash of all covers, which ends the name of each file. */
const version = ${JSON.stringify(coversVersion)};

/** Their slugs by field: every page with books carries this list, and pays for each byte of it. */
const slugs: Record<BuiltInCover["of"], string> = {
${lines.join("\n")}
};

export const builtInCovers: readonly BuiltInCover[] = Object.entries(slugs).flatMap(([of, list]) =>
  list.split(" ").map((slug) => ({
    slug,
    of: of as BuiltInCover["of"],
    file: \`/pictures/covers/\${slug}-\${version}\`,
  })),
);
`;
}

export function linksModule(originals: readonly Original[]): string {
  const entries = originals.flatMap(({ coverColour, files }) =>
    coverColour ? [`${JSON.stringify(coverColour)}: ${JSON.stringify(files[0]?.file)}`] : [],
  );
  return `/** Written by \`npm run draw -- pictures\` from app/features/book-covers/cover-colours.ts: change the colours there. */

/** Previews of links to books with generated covers, by the \`from\` of their colours. */
export const linkPictures: Readonly<Record<string, string>> = {${entries.join(", ")}};
`;
}
