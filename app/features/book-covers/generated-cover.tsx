import clothUrl from "./cloth.svg?url";
import { clothParts, fields, seedOf, threadsOf } from "./cover-cloth.ts";
import { coverClass, coverName } from "./cover-name.ts";
import { clipText, setTitle } from "./cover-title.ts";
import { volumeOf } from "./volume.ts";

const width = 240;
const height = 320;
const margin = 18;
const paper = "#fbf8f1";
const smallPrint = 14;

/** The layouts, in the order of `fields`: the woven field below, above or beside the text. `depth` is the space for the title's lines. */
const layouts = [
  {
    left: margin,
    publisher: 32,
    title: 70,
    depth: 78,
    meta: 166,
  },
  {
    left: margin,
    publisher: 112,
    title: 150,
    depth: 118,
    meta: 286,
  },
  {
    left: 74,
    publisher: 32,
    title: 70,
    depth: 186,
    meta: 286,
  },
] as const;

export interface GeneratedCoverBook {
  title: string;
  publisher: string | null;
  course: string | null;
  subject: string | null;
}

/**
 * A cover drawn from the book's own data, 3:4, the same on server and browser. `label` is what a screen reader hears;
 * without it the cover is decoration, for places where the title is beside it.
 */
export function GeneratedCover(props: { book: GeneratedCoverBook; label?: string; className?: string }) {
  const { book, label, className = "" } = props;
  const seed = seedOf(book.title);
  const number = seed % layouts.length;
  const layout = layouts[number] ?? layouts[0];
  const cloth = clothParts(number, threadsOf(seed >>> 2, fields[number] ?? fields[0]));
  const room = width - layout.left - margin;
  const title = setTitle(book.title, room, layout.depth);
  const volume = volumeOf(book.title);
  const details = [book.subject, book.course].filter((text): text is string => Boolean(text?.trim()));
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={`drawn-cover ${coverClass(coverName(book))} ${seed % 5 === 0 ? "two-gold " : ""}${className}`}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : "true"}
    >
      {[cloth.ground, cloth.first, cloth.second, cloth.accent].map((part) => (
        <use key={part} href={`${clothUrl}#${part}`} />
      ))}
      {volume && <text className="volume">{volume}</text>}
      {book.publisher && (
        <text x={layout.left} y={layout.publisher}>
          {clipText(book.publisher, room / smallPrint)}
        </text>
      )}
      <text y={layout.title} fontSize={title.fontSize} fill={paper}>
        {title.lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <tspan key={index} x={layout.left} dy={index ? title.lineHeight : 0}>
            {line}
          </tspan>
        ))}
      </text>
      <text y={layout.meta + (details.length < 2 ? 18 : 0)}>
        {details.map((text, index) => (
          <tspan key={text} x={layout.left} dy={index * 18}>
            {clipText(text, (volume ? room - 60 : room) / smallPrint)}
          </tspan>
        ))}
      </text>
    </svg>
  );
}
