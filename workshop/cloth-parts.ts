import {
  ACCENT_EVERY,
  clothParts,
  fields,
  isNarrow,
  MOTIFS,
  STAMPS,
} from "#app/features/book-covers/cover-cloth.ts";
import { allCoverColours } from "#app/features/book-covers/cover-colours.ts";
import { coverClass } from "#app/features/book-covers/cover-name.ts";
import { weaveThreads } from "./pictures/lib/weave.ts";

/** The parts of every cloth that a cover may have, each once: a path by its name. */
export function everyPart(): Map<string, string> {
  const parts = new Map<string, string>();
  for (const [number, field] of fields.entries())
    for (let row = 0; row < (isNarrow(field) ? ACCENT_EVERY : field.rows); row += 1)
      for (const mirrored of isNarrow(field) ? [0] : [1, 2])
        for (let motif = 0; motif < MOTIFS; motif += 1) {
          const threads = { first: motif, second: motif, stamp: motif % STAMPS, row, mirrored };
          const names = clothParts(number, threads);
          const paths = weaveThreads(threads, field);
          for (const layer of ["ground", "first", "second", "accent"] as const)
            parts.set(names[layer], paths[layer]);
        }
  return parts;
}

export function clothFile(): string {
  const paths = [...everyPart()].map(([name, path]) => `<path id="${name}" d="${path}"/>\n`).sort();
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${paths.join("")}</svg>\n`;
}

/** The rules for the colours of covers. */
export function coloursFile(): string {
  const rules = allCoverColours().map(
    ([name, { from, to, shade, middle, light }]) => `.${coverClass(name)} {
  --shade: ${shade};
  --middle: ${middle};
  background: linear-gradient(165deg, ${from}, ${to});
  fill: ${light};
}
`,
  );
  return ["/* Written by `npm run draw -- cloth` from features/book-covers/cover-colours.ts: change it there. */\n", ...rules].join("\n");
}
