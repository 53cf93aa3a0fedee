/** The shop's colours as its pictures use them: paper, ink, one green, gold as a highlighter, clay and sky as guests. */
export const paper = "#fbf8f1";
export const cream = "#f3ecdc";
export const sand = "#e6dcc5";
export const white = "#ffffff";
export const ink = "#1b1f1a";
export const soot = "#2f352e";
export const stone = "#8b8f83";
export const greenDeep = "#0d3a2a";
export const green = "#14503a";
export const leaf = "#2a7a5c";
export const mint = "#a9d3bd";
export const tint = "#e1eee6";
export const gold = "#e3a72f";
export const honey = "#f3d68f";
export const clay = "#a63d22";
const brick = "#c4623f";
export const umber = "#6e4420";
export const sky = "#1f5c8b";
export const haze = "#b9d4e6";

/** Skin, from deep to warm brown. */
export const skins = ["#4a2f21", "#5f3d2a", "#7a5036", "#3b261b"] as const;

/** Spines on a shelf, in the proportions that keep it calm: greens first, gold rarely. */
export const spines = [
  green,
  green,
  leaf,
  greenDeep,
  cream,
  mint,
  sky,
  clay,
  clay,
  soot,
  haze,
  gold,
  honey,
  brick,
  umber,
] as const;
