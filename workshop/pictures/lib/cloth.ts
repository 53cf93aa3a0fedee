/** Kente and adinkra logic for pictures: strips, steps and stamps, woven by the same loom as the generated covers. */
import { gold, green, leaf, mint } from "./palette.ts";
import { circle, type Paint, path, place, rect, times } from "./svg.ts";
import { weave } from "./weave.ts";

export interface Threads {
  ground?: Paint;
  shade: Paint;
  first: Paint;
  second: Paint;
  accent: Paint;
}

const greenThreads: Threads = {
  ground: green,
  shade: leaf,
  first: mint,
  second: "#5fa384",
  accent: gold,
};

/** A woven field of `columns` × `rows` blocks of `size`, its first corner at x, y. */
export function cloth(
  x: number,
  y: number,
  columns: number,
  rows: number,
  size: number,
  seed: number,
  threads: Threads = greenThreads,
): string {
  const woven = weave(seed, { left: 0, top: 0, columns, rows });
  return place(
    { x, y, scale: size / 40 },
    threads.ground ? rect(0, 0, columns * 40, rows * 40, threads.ground) : "",
    path(woven.ground, threads.shade),
    path(woven.first, threads.first),
    path(woven.second, threads.second),
    path(woven.accent, threads.accent),
  );
}

/** A sun or a stamp of power: rings in the manner of adinkrahene. */
export function rings(x: number, y: number, r: number, outer: Paint, inner: Paint): string {
  return circle(x, y, r, outer) + circle(x, y, r * 0.74, inner) + circle(x, y, r * 0.48, outer);
}

/** A band of steps: a hill or a wall top that climbs and falls in blocks of `step`. Heights are counted in steps. */
export function steps(
  x: number,
  base: number,
  step: number,
  heights: readonly number[],
  fill: Paint,
): string {
  let d = `M${x} ${base}`;
  heights.forEach((height, index) => {
    d += `V${base - height * step}H${x + (index + 1) * step}`;
  });
  return path(`${d}V${base}Z`, fill);
}

/** The winding road: a zigzag band. */
export function zigzag(
  x: number,
  y: number,
  width: number,
  step: number,
  thick: number,
  fill: Paint,
): string {
  const count = Math.ceil(width / step);
  const top = times(count, (index) => `l${step} ${index % 2 === 0 ? -step / 2 : step / 2}`);
  const back = times(count, (index) => `l${-step} ${(count - index) % 2 === 0 ? -step / 2 : step / 2}`);
  return path(`M${x} ${y}${top}v${thick}${back}Z`, fill);
}

/** Thin warp stripes over a surface, for walls, roofs, fields and shirts. */
export function stripes(
  x: number,
  y: number,
  w: number,
  h: number,
  gap: number,
  thick: number,
  fill: Paint,
  opacity = 1,
) {
  return times(Math.floor((w - thick) / gap) + 1, (index) =>
    rect(x + index * gap, y, thick, h, fill, { opacity }),
  );
}

/** Weft bars: the same across. */
export function bars(
  x: number,
  y: number,
  w: number,
  h: number,
  gap: number,
  thick: number,
  fill: Paint,
  opacity = 1,
) {
  return times(Math.floor((h - thick) / gap) + 1, (index) =>
    rect(x, y + index * gap, w, thick, fill, { opacity }),
  );
}

/** A stepped lozenge, the commonest figure of kente, `r` from its middle to its corners. */
export function lozenge(x: number, y: number, r: number, fill: Paint): string {
  const unit = r / 4;
  const quarter = [
    [1, 4],
    [1, 3],
    [2, 3],
    [2, 2],
    [3, 2],
    [3, 1],
    [4, 1],
  ] as const;
  const corners = [
    ...quarter.map(([a, b]) => [a, -b]),
    ...quarter.map(([a, b]) => [b, a]),
    ...quarter.map(([a, b]) => [-a, b]),
    ...quarter.map(([a, b]) => [-b, -a]),
  ];
  return path(`M${corners.map(([a = 0, b = 0]) => `${x + a * unit} ${y + b * unit}`).join("L")}Z`, fill);
}
