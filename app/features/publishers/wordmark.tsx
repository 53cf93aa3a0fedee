import type { PublisherName } from "./publisher.ts";

/** A publisher's name in the shop's own typography, beside a woven emblem. It is not the publisher's logo. */
interface Setting {
  /** The lines of the wordmark; together they are the name. */
  lines: readonly [string, string?];
  /** The emblem's path on a grid of 12 units, and its colour. */
  emblem: string;
  colour: string;
}

const settings: Record<PublisherName, Setting> = {
  "Cambridge University Press": {
    lines: ["Cambridge", "University Press"],
    emblem: "M0 0h12v2H2v8h10v2H0zM5 5h7v2H5z",
    colour: "text-green",
  },
  Collins: { lines: ["Collins"], emblem: "M0 0h12v3H3v6h9v3H0zM9 5h3v2H9z", colour: "text-clay" },
  CGP: {
    lines: ["CGP"],
    emblem: "M0 0h4v4H0zM4 4h4v4H4zM8 8h4v4H8zM8 0h4v4H8zM0 8h4v4H0z",
    colour: "text-sky",
  },
  "Hachette Learning": {
    lines: ["Hachette", "Learning"],
    emblem: "M0 0h3v12H0zM9 0h3v12H9zM3 4.5h6v3H3z",
    colour: "text-ink",
  },
  "Schofield & Sims": {
    lines: ["Schofield", "& Sims"],
    emblem: "M4 0h4v2h2v2h2v4h-2v2H8v2H4v-2H2V8H0V4h2V2h2zM5 5v2h2V5z",
    colour: "text-gold-ink",
  },
  Skoldo: {
    lines: ["Skoldo"],
    emblem: "M0 3l3-3 3 3 3-3 3 3v3L9 3 6 6 3 3 0 6zM0 9l3-3 3 3 3-3 3 3v3L9 9l-3 3-3-3-3 3z",
    colour: "text-green",
  },
};

/** The wordmark of one of the six publishers; its size follows the text around it. */
export function Wordmark({ name, className }: { name: PublisherName; className?: string }) {
  const { lines, emblem, colour } = settings[name];
  return (
    <span className={`inline-flex items-center gap-[0.45em] font-display leading-none ${className ?? ""}`}>
      <svg aria-hidden="true" viewBox="0 0 12 12" className={`size-[1.5em] shrink-0 ${colour}`}>
        <path fill="currentColor" fillRule="evenodd" d={emblem} />
      </svg>
      <span>
        <span className="font-semibold tracking-[-0.01em]">{lines[0]}</span>
        {lines[1] && (
          <span className="mt-[0.2em] block text-[0.62em] leading-none text-muted"> {lines[1]}</span>
        )}
      </span>
    </span>
  );
}
