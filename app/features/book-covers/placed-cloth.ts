import { type Cloth, weave } from "./cover-cloth.ts";

/** Each block by its place: 'm40,0' after a block at 80,160 is 'M120 160', and the move with which a block ends where it began is left out. */
function placed(path: string): string {
  let [x, y] = [0, 0];
  return [...path.matchAll(/([Mm])(-?\d+),(-?\d+)([^,]*?)(?=[Mm]-?\d+,|$)/g)]
    .map(([, kind, dx, dy, motif = ""]) => {
      [x, y] = kind === "M" ? [Number(dx), Number(dy)] : [x + Number(dx), y + Number(dy)];
      return `M${x} ${y}${motif.replace(/(?<=z)m-?[\d.]+[ -][\d.]+$/, "")}`;
    })
    .join("");
}

/** The same cloth with the place of each block, as delivered pictures are drawn: their files are named after their text. */
export function placedCloth(...args: Parameters<typeof weave>): Cloth {
  const { ground, first, second, accent } = weave(...args);
  return { ground: placed(ground), first: placed(first), second: placed(second), accent: placed(accent) };
}
