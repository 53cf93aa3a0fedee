/**
 * The shop's own icons: one stroke on a 24-unit grid, round ends, in the text colour.
 * They are always decoration: the text beside them or the control's label carries the meaning.
 * Every visitor downloads these; icons that only the back office uses are in office/office-icon.tsx.
 */

/** Outlines, drawn with a 1.75 stroke. */
const strokes = {
  "arrow-left": "M20 12H4.5M10.5 5.5 4 12l6.5 6.5",
  "arrow-right": "M4 12h15.5M13.5 5.5 20 12l-6.5 6.5",
  cart: "M2.5 4h2.75L8 15h9.75L20.5 7.5H6.2M9.25 18.5a1.25 1.25 0 1 0 .001 0M16.75 18.5a1.25 1.25 0 1 0 .001 0",
  chat: "M3.75 20.25 5 16.3A8.5 8.5 0 1 1 8 19.15ZM9 9.5h6M9 13h4",
  "chevron-down": "M5.5 9l6.5 6.5L18.5 9",
  "chevron-left": "M15 5.5 8.5 12l6.5 6.5",
  "chevron-right": "M9 5.5l6.5 6.5L9 18.5",
  clock: "M12 3a9 9 0 1 0 .001 0M12 7v5.25l3.5 2",
  close: "M5.5 5.5l13 13M18.5 5.5l-13 13",
  dashboard: "M4 4h7v9H4ZM13.5 4H20v5h-6.5ZM13.5 11.5H20V20h-6.5ZM4 15.5h7V20H4Z",
  filter:
    "M3.5 7H13M17.5 7h3M3.5 17h3M11 17h9.5M15.25 4.75a2.25 2.25 0 1 0 .001 0M8.75 14.75a2.25 2.25 0 1 0 .001 0",
  heart: "M12 20.25 4.3 12.4a4.9 4.9 0 0 1 6.95-6.9L12 6.25l.75-.75a4.9 4.9 0 0 1 6.95 6.9Z",
  instagram:
    "M8 3.5h8A4.5 4.5 0 0 1 20.5 8v8a4.5 4.5 0 0 1-4.5 4.5H8A4.5 4.5 0 0 1 3.5 16V8A4.5 4.5 0 0 1 8 3.5ZM12 8a4 4 0 1 0 .001 0M16.9 6.9v.2",
  mail: "M3 5.5h18v13.5H3ZM3.5 6l8.5 7 8.5-7",
  menu: "M3.5 6.5h17M3.5 12h17M3.5 17.5h11",
  minus: "M5 12h14",
  phone:
    "M7.5 3.5 10 8.25 7.75 10.25a13 13 0 0 0 6 6L15.75 14l4.75 2.5c-.2 2.4-1.6 4-4 4C9.5 20.2 3.8 14.5 3.5 7.5c0-2.4 1.6-3.8 4-4Z",
  plus: "M5 12h14M12 5v14",
  receipt: "M5.5 3v18l2.2-1.5L9.85 21 12 19.5 14.15 21l2.15-1.5L18.5 21V3ZM9 8h6M9 12h6",
  search: "M10.5 3.5a7 7 0 1 0 .001 0M15.6 15.6 20.5 20.5",
  "sign-out": "M14 7.5V4H4v16h10v-3.5M9.5 12H21M17 8l4 4-4 4",
  trash: "M4 6.5h16M9 6.5V3.5h6v3M6 6.5 7 20.5h10l1-14M10 10.5v6M14 10.5v6",
  user: "M12 4a4 4 0 1 0 .001 0M4 20.5c.7-4.3 3.6-6.5 8-6.5s7.3 2.2 8 6.5",
} as const;

/** Filled shapes; a thin stroke of the same colour keeps their corners as round as the outlines'. */
const solids = {
  facebook:
    "M13.75 21v-7.5h2.75l.5-3.25h-3.25V8.3c0-1 .5-1.65 1.75-1.65H17.2V3.7C16.7 3.6 15.9 3.5 15 3.5c-2.7 0-4.25 1.6-4.25 4.3v2.45H7.8v3.25h2.95V21Z",
  "heart-filled": strokes.heart,
} as const;

export type IconName = keyof typeof strokes | keyof typeof solids;

type Look = { size?: number; className?: string };

/** An icon, `size` CSS pixels square (default 20). */
export function Icon({ name, ...look }: { name: IconName } & Look) {
  return name in solids ? (
    <IconShape path={solids[name as keyof typeof solids]} solid {...look} />
  ) : (
    <IconShape path={strokes[name as keyof typeof strokes]} {...look} />
  );
}

/** The SVG that every icon is drawn in. */
export function IconShape({
  path,
  solid = false,
  size = 20,
  className = "",
}: { path: string; solid?: boolean } & Look) {
  return (
    <svg
      aria-hidden="true"
      className={`icon ${solid ? "fill-current " : ""}${className}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
    >
      <path d={path} />
    </svg>
  );
}
