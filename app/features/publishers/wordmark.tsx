/** The drawn marks: a woven emblem on a grid of 12 units, and its colour. They are nobody's logo. */
const marks = [
  ["M0 0h12v2H2v8h10v2H0zM5 5h7v2H5z", "text-green"],
  ["M0 0h12v3H3v6h9v3H0zM9 5h3v2H9z", "text-clay"],
  ["M0 0h4v4H0zM4 4h4v4H4zM8 8h4v4H8zM8 0h4v4H8zM0 8h4v4H0z", "text-sky"],
  ["M0 0h3v12H0zM9 0h3v12H9zM3 4.5h6v3H3z", "text-ink"],
  ["M4 0h4v2h2v2h2v4h-2v2H8v2H4v-2H2V8H0V4h2V2h2zM5 5v2h2V5z", "text-gold-ink"],
  ["M0 3l3-3 3 3 3-3 3 3v3L9 3 6 6 3 3 0 6zM0 9l3-3 3 3 3-3 3 3v3L9 9l-3 3-3-3-3 3z", "text-green"],
] as const;

/** How many marks there are to choose from; they are numbered from 1. */
export const MARKS = marks.length;

/** A drawn mark; its size follows the text around it. */
export function Mark({ mark, className = "size-[1.5em]" }: { mark: number; className?: string }) {
  const [emblem, colour] = marks[mark - 1] ?? marks[0];
  return (
    <svg aria-hidden="true" viewBox="0 0 12 12" className={`shrink-0 ${className} ${colour}`}>
      <path fill="currentColor" fillRule="evenodd" d={emblem} />
    </svg>
  );
}

type WordmarkProps = {
  /** `logo` is the address to load the logo from; null where it has none. */
  publisher: { name: string; mark: number; logo: string | null };
};

/** A publisher's logo, or its name in the shop's own typography beside its mark. */
export function Wordmark({ publisher: { name, mark, logo } }: WordmarkProps) {
  if (logo) return <Logo url={logo} name={name} />;
  const [first, ...rest] = name.split(" ");
  return (
    <span className="wordmark">
      <Mark mark={mark} />
      <span className="min-w-0 wrap-anywhere">
        <span className="font-semibold tracking-[-0.01em]">{first}</span>
        {rest.length > 0 && (
          <span className="mt-[0.2em] block text-[0.62em] leading-none text-muted"> {rest.join(" ")}</span>
        )}
      </span>
    </span>
  );
}

/** The height is fixed, so that nothing moves when the picture arrives. */
export function Logo({ url, name }: { url: string; name: string }) {
  return (
    <img
      src={url}
      alt={name}
      loading="lazy"
      decoding="async"
      className="h-12 w-48 object-contain object-left"
    />
  );
}
