/** Places: trees, hills, houses, stalls and vans, all from strips and steps. */
import { bars, lozenge, stripes } from "./cloth.ts";
import {
  clay,
  cream,
  gold,
  green,
  greenDeep,
  haze,
  honey,
  ink,
  leaf,
  mint,
  paper,
  sand,
  soot,
  umber,
  white,
} from "./palette.ts";
import { box, circle, clipped, line, type Paint, path, place, poly, rect, times } from "./svg.ts";

/** A broad tree whose crown is built of stepped lozenges. Its foot is at x, y. */
export function tree(
  x: number,
  y: number,
  scale = 1,
  crown: readonly [Paint, Paint, Paint] = [green, leaf, greenDeep],
): string {
  const [dark, light, deep] = crown;
  return place(
    { x, y, scale },
    path(
      "M-16 0Q-8 -60 -14 -120L-60 -170L-44 -178L-8 -146L0 -200L14 -146L48 -180L62 -170L18 -118Q10 -60 22 0Z",
      umber,
    ),
    lozenge(0, -268, 110, dark),
    lozenge(-100, -214, 80, deep),
    lozenge(102, -218, 84, dark),
    lozenge(40, -300, 70, light),
    lozenge(-60, -262, 60, light),
    lozenge(112, -232, 40, light),
    lozenge(-112, -214, 34, dark),
  );
}

/** A palm, its foot at x, y. */
export function palm(x: number, y: number, scale = 1, leaves: Paint = green): string {
  const frond = (turn: number) =>
    place(
      { x: 22, y: -260, turn },
      path("M0 0Q60 -46 128 6Q64 -14 0 12Z", leaves),
      path("M0 4Q60 -24 128 6Q64 -14 0 12Z", ink, { opacity: 0.14 }),
    );
  return place(
    { x, y, scale },
    path("M-12 0Q-8 -140 16 -262H30Q14 -140 16 0Z", umber),
    times(8, (index) =>
      line(`M${-9 + index * 2.5} ${-26 - index * 28}h${20 - index * 0.8}`, ink, 3, { opacity: 0.22 }),
    ),
    [-160, -118, -70, -20, 28, 70, 110, 200].map(frond).join(""),
    circle(16, -250, 9, gold) + circle(32, -246, 9, gold),
  );
}

/** A long school block on a plinth with striped roof, louvred windows and a veranda; x, y is its lower left corner. */
export function school(
  x: number,
  y: number,
  w: number,
  scale = 1,
  wall: Paint = cream,
  roof: Paint = clay,
): string {
  const bay = 110;
  const count = Math.floor((w - 40) / bay);
  const left = (w - count * bay) / 2;
  return place(
    { x, y, scale },
    rect(-14, -16, w + 28, 16, "#b9ab8d"),
    rect(0, -176, w, 160, wall),
    rect(0, -176, w, 40, ink, { opacity: 0.12 }),
    rect(0, -60, w, 44, green),
    times(count, (index) => {
      const at = left + index * bay;
      if (index === Math.floor(count / 2))
        return rect(at + 28, -132, 54, 116, umber) + rect(at + 54, -132, 3, 116, ink, { opacity: 0.4 });
      return (
        rect(at + 18, -132, 74, 60, soot) +
        bars(at + 18, -132, 74, 60, 10, 5, haze, 0.8) +
        rect(at + 53, -132, 4, 60, wall)
      );
    }),
    times(count + 1, (index) => rect(left + index * bay - 5, -176, 10, 160, paper)),
    poly(
      [
        [-34, -172],
        [40, -262],
        [w - 40, -262],
        [w + 34, -172],
      ],
      roof,
    ),
    times(Math.floor(w / 24) + 1, (index) => {
      const foot = -34 + ((w + 68) * index) / (Math.floor(w / 24) + 1);
      const top = 40 + ((w - 80) * index) / (Math.floor(w / 24) + 1);
      return line(`M${foot} -172L${top} -262`, ink, 3, { opacity: 0.14 });
    }),
    rect(-34, -176, w + 68, 8, ink, { opacity: 0.3 }),
  );
}

/** A market umbrella in panels; its pole's foot is at x, y. */
export function umbrella(x: number, y: number, w: number, h: number, panels: readonly Paint[]): string {
  const top = -h;
  const rim = -h * 0.7;
  const count = panels.length;
  return place(
    { x, y },
    rect(-5, top, 10, h, umber),
    panels
      .map((paint, index) => {
        const from = -w / 2 + (w * index) / count;
        const to = from + w / count;
        return path(
          `M0 ${top}Q${from * 0.75} ${top + h * 0.04} ${from} ${rim}Q${(from + to) / 2} ${rim + h * 0.055} ${to} ${rim}Q${to * 0.75} ${top + h * 0.04} 0 ${top}Z`,
          paint,
        );
      })
      .join(""),
    circle(0, top, 8, umber),
  );
}

/** A tro-tro: a van with a roof rack. Its front looks right; x, y is the ground under its rear. */
export function van(
  x: number,
  y: number,
  scale: number,
  body: Paint,
  band: string,
  load: string,
  cabin: Paint = body,
): string {
  return place(
    { x, y, scale },
    rect(10, -6, 400, 10, ink, { opacity: 0.16, r: 5 }),
    load,
    rect(28, -232, 286, 8, soot) + times(6, (index) => rect(34 + index * 54, -232, 6, 18, soot)),
    path("M10 -34V-196Q10 -216 30 -216H318Q338 -216 348 -198L384 -128L408 -112Q416 -106 416 -94V-34Z", body),
    path("M318 -216Q338 -216 348 -198L384 -128H300V-216Z", cabin),
    path("M308 -200H330Q336 -200 340 -192L368 -132H308Z", haze) +
      path("M330 -200L308 -156V-132H316L346 -180Z", white, { opacity: 0.5 }),
    times(
      3,
      (index) =>
        rect(30 + index * 88, -200, 76, 62, haze, { r: 6 }) +
        poly(
          [
            [44 + index * 88, -138],
            [74 + index * 88, -200],
            [88 + index * 88, -200],
            [58 + index * 88, -138],
          ],
          white,
          { opacity: 0.45 },
        ),
    ),
    band,
    rect(298, -128, 3, 92, ink, { opacity: 0.3 }) + rect(308, -118, 20, 6, ink, { opacity: 0.5, r: 3 }),
    rect(396, -84, 20, 20, honey, { r: 6 }) + rect(10, -84, 8, 24, clay),
    rect(4, -44, 418, 16, soot, { r: 6 }),
    [92, 338]
      .map((at) => circle(at, -32, 36, ink) + circle(at, -32, 17, sand) + circle(at, -32, 6, soot))
      .join(""),
  );
}

/** A window with louvres and the light it lets in. */
export function louvres(x: number, y: number, w: number, h: number, frame: Paint = umber): string {
  return (
    rect(x - 12, y - 12, w + 24, h + 24, frame) +
    rect(x, y, w, h, "#d9e8ef") +
    clipped(
      box(x, y, w, h),
      lozenge(x + w * 0.3, y + h * 0.86, w * 0.3, mint),
      lozenge(x + w * 0.74, y + h * 0.98, w * 0.36, leaf),
    ) +
    bars(x, y, w, h, h / 9, 4, frame, 0.55) +
    rect(x + w / 2 - 5, y, 10, h, frame)
  );
}

/** The light of a window on the floor or wall: a leaning pale field with the louvres' bars left out. */
export function lightField(
  x: number,
  y: number,
  w: number,
  h: number,
  lean: number,
  fill: Paint = white,
  opacity = 0.4,
): string {
  return times(6, (index) => {
    const from = y + (h / 6) * index;
    const to = from + (h / 6) * 0.72;
    const shift = (at: number) => ((at - y) / h) * lean;
    return poly(
      [
        [x + shift(from), from],
        [x + w + shift(from), from],
        [x + w + shift(to), to],
        [x + shift(to), to],
      ],
      fill,
      { opacity },
    );
  });
}

/** Sky in calm strips from top to horizon. */
export function skyStrips(width: number, horizon: number, paints: readonly Paint[]): string {
  return paints
    .map((paint, index) =>
      rect(0, (horizon / paints.length) * index, width, horizon / paints.length + 1, paint),
    )
    .join("");
}

/** Fields in strips towards the viewer, each its own weave. */
export function fields(width: number, top: number, bottom: number, paints: readonly Paint[]): string {
  const count = paints.length;
  let at = top;
  return paints
    .map((paint, index) => {
      const h = ((bottom - top) * (index + 1)) / ((count * (count + 1)) / 2);
      const strip =
        rect(0, at, width, h + 1, paint) +
        (index % 2
          ? stripes(0, at + h * 0.3, width, h * 0.4, 26 + index * 12, 8 + index * 4, ink, 0.08)
          : "");
      at += h;
      return strip;
    })
    .join("");
}
