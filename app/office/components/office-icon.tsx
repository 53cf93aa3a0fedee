import type { ComponentProps } from "react";
import { Icon, IconShape, type IconName as ShopIconName } from "#app/components/icon.tsx";

/** Icons that only the back office uses, kept apart so that visitors do not download them. */
const strokes = {
  book: "M5 5.5A2.5 2.5 0 0 1 7.5 3H19v15H7.5A2.5 2.5 0 0 0 5 20.5M5 5.5v15M19 18v3H7.5A2.5 2.5 0 0 1 5 20.5M9.5 7.5h5",
  box: "M12 3l8.5 4.5v9L12 21l-8.5-4.5v-9ZM3.5 7.5 12 12l8.5-4.5M12 12v9M7.75 5.25l8.5 4.5",
  calendar: "M4 5.5h16v15H4ZM4 10h16M8 3v4.5M16 3v4.5",
  camera: "M3.5 8h4l1.5-2.5h6L16.5 8h4v11.5h-17ZM12 10a3.5 3.5 0 1 0 .001 0",
  chart: "M4 20h16M6.5 20v-6M12 20V5M17.5 20v-9.5",
  check: "M4.5 12.5l5 5 10-11",
  "chevron-up": "M5.5 15.5 12 9l6.5 6.5",
  download: "M12 3.5v11.75M6.75 10.25 12 15.5l5.25-5.25M4 20.25h16",
  eye: "M2 12c2.4-4.3 5.7-6.5 10-6.5S19.6 7.7 22 12c-2.4 4.3-5.7 6.5-10 6.5S4.4 16.3 2 12ZM12 9a3 3 0 1 0 .001 0",
  "eye-off":
    "M4 4l16 16M9.9 5.7a10 10 0 0 1 2.1-.2c4.3 0 7.6 2.2 10 6.5a16 16 0 0 1-2.7 3.5M6.3 7.3A14.6 14.6 0 0 0 2 12c2.4 4.3 5.7 6.5 10 6.5a9.6 9.6 0 0 0 4.4-1M9.9 9.9a3 3 0 0 0 4.2 4.2",
  key: "M8 11.5a4 4 0 1 0 .001 0M10.75 12.75 20 3.5M16.5 7l3 3M13.5 10l2.5 2.5",
  list: "M9 6h11.5M9 12h11.5M9 18h11.5M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  money: "M3 6.5h18v11H3ZM12 9a3 3 0 1 0 .001 0M6.5 12h.01M17.5 12h.01",
  pencil: "M4 20l1-4.5L16.5 4l3.5 3.5L8.5 19ZM13.75 6.75l3.5 3.5",
  print: "M7 8.5V3.5h10v5M7 16.5H3.5v-8h17v8H17M7 13.5h10v7H7Z",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5a2.5 2.5 0 1 0 .001 0M9 14.5a2.5 2.5 0 1 0 .001 0",
  shield: "M12 3.25 19.5 6v5.5c0 4.4-2.9 7.4-7.5 9.25-4.6-1.85-7.5-4.85-7.5-9.25V6ZM8.75 12l2.4 2.4 4.4-4.9",
  sidebar: "M3.5 4.5h17v15h-17ZM9.5 4.5v15",
  star: "M12 3.25l2.65 5.75 6.1.75-4.45 4.25 1.15 6.25L12 17.2l-5.45 3.05L7.7 14 3.25 9.75 9.35 9Z",
  truck: "M2.5 6h11v10.5h-11ZM13.5 9.5h4.25L21.5 13v3.5h-8M7 15a2 2 0 1 0 .001 0M17.25 15a2 2 0 1 0 .001 0",
  undo: "M8.5 4.5 4 9l4.5 4.5M4 9h10.25a5.5 5.5 0 0 1 0 11H9",
  upload: "M12 15.75V4M6.75 9.25 12 4l5.25 5.25M4 20.25h16",
  users:
    "M9 4.5a3.5 3.5 0 1 0 .001 0M2.5 19.5c.6-3.7 2.9-5.5 6.5-5.5s5.9 1.8 6.5 5.5M15.5 4.9a3.5 3.5 0 0 1 0 6.7M17.5 14.3c2.3.5 3.6 2.2 4 5.2",
  warning: "M12 3.75 21.5 20h-19ZM12 10v4.75M12 17.25v.25",
} as const;

const solids = { "star-filled": strokes.star } as const;

export type IconName = ShopIconName | keyof typeof strokes | keyof typeof solids;

type IconProps = Omit<ComponentProps<typeof Icon>, "name"> & { name: IconName };

/** An icon of the shop or the back office, `size` CSS pixels square (default 20). */
export function OfficeIcon({ name, ...look }: IconProps) {
  if (name in solids) return <IconShape path={solids[name as keyof typeof solids]} solid {...look} />;
  if (name in strokes) return <IconShape path={strokes[name as keyof typeof strokes]} {...look} />;
  return <Icon name={name as ShopIconName} {...look} />;
}
