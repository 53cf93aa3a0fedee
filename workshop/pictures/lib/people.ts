/** People suggested by shapes: no faces, but posture, hair and cloth. Feet or seat stand at 0, 0; a grown person is 350 high. */
import { cloth, type Threads } from "./cloth.ts";
import { clay, gold, honey, ink, mint, paper, sand, skins, soot } from "./palette.ts";
import { circle, clipped, ellipse, line, type Paint, path, place, rect, times } from "./svg.ts";

type Hair = "short" | "round" | "puffs" | "wrap" | "bun" | "braids" | "scarf";

export interface Person {
  x: number;
  y: number;
  scale?: number;
  flip?: boolean;
  skin?: Paint;
  hair?: Hair;
  /** Colour of a headwrap or scarf. */
  wrap?: Paint;
  top: Paint;
  /** Pinafore or tunic over the top, as school uniforms have. */
  pinafore?: Paint;
  /** A strip of cloth over one shoulder. */
  sash?: { seed: number; threads?: Threads };
  bottom?: Paint;
  skirt?: boolean;
  /** Elbow and hand of each arm; x to the figure's right. Left out: hanging. */
  arms?: { left?: Arm; right?: Arm };
  /** Seen from behind. */
  back?: boolean;
  pose?: "stand" | "walk" | "bust" | "sit";
  /** How far the head is bowed, in degrees. */
  bow?: number;
  bag?: Paint;
  /** Drawn in front of the body, behind the arms. */
  held?: string;
}

type Arm = readonly [elbowX: number, elbowY: number, handX: number, handY: number];

const hairColour = "#17130f";
const shoulderY = -256;

/** One person. */
export function person(of: Person): string {
  const { x, y, scale = 1, flip, skin = skins[0], pose = "stand", arms = {} } = of;
  const left = arms.left ?? [-62, -196, -58, -140];
  const right = arms.right ?? [62, -196, 58, -140];
  return place(
    { x, y, scale, flip },
    pose === "stand" || pose === "walk" ? legs(of, skin) : "",
    pose === "sit" ? seatedLegs(of, skin) : "",
    torso(of, skin),
    head(of, skin),
    of.held ?? "",
    arm(left, -1, of.top, skin),
    arm(right, 1, of.top, skin),
  );
}

function legs(of: Person, skin: Paint): string {
  const spread = of.pose === "walk" ? 24 : 0;
  const cloth_ = of.bottom ?? soot;
  const shoe = (x: number) => path(`M${x - 15} 0v-14q0-8 10-8h12q8 0 20 12q6 4 6 10Z`, ink);
  if (of.skirt) {
    const limb = (x: number, foot: number) => line(`M${x} -80L${foot} -14`, skin, 22);
    return (
      limb(-20, -20 - spread) +
      limb(20, 20 + spread) +
      shoe(-22 - spread) +
      shoe(20 + spread) +
      path("M-42 -160L-66 -58Q0 -46 66 -58L42 -160Z", cloth_)
    );
  }
  return (
    path(`M-42 -165H42L${38 + spread} -14H${8 + spread}L0 -118L${-8 - spread} -14H${-38 - spread}Z`, cloth_) +
    shoe(-24 - spread) +
    shoe(22 + spread)
  );
}

function seatedLegs(of: Person, skin: Paint): string {
  const cloth_ = of.bottom ?? soot;
  return (
    line("M76 -118L86 -22", skin, 24) +
    path("M72 0v-14q0-8 10-8h12q8 0 20 12q6 4 6 10Z", ink) +
    line("M-8 -136Q40 -150 74 -130", cloth_, 54) +
    (of.skirt
      ? path("M-40 -165L-44 -108H84Q100 -112 96 -140Q88 -164 40 -160Z", cloth_)
      : line("M74 -128L80 -70", cloth_, 40))
  );
}

function torso(of: Person, skin: Paint): string {
  const body = "M-30 -282Q-56 -278 -58 -250L-46 -150H46L58 -250Q56 -278 30 -282Q0 -270 -30 -282Z";
  const parts = [
    rect(-13, -300, 26, 34, skin, { r: 10 }),
    of.back ? "" : path("M-13 -288q13 12 26 0v8q-13 16 -26 0Z", ink, { opacity: 0.2 }),
    path(body, of.top),
  ];
  if (!of.back && !of.sash) parts.push(path("M-20 -284L0 -258L20 -284Q0 -274 -20 -284Z", skin));
  if (of.pinafore)
    parts.push(
      path("M-48 -228H48L46 -150H-46Z", of.pinafore),
      path("M-38 -282L-30 -282L-22 -226H-40ZM38 -282L30 -282L22 -226H40Z", of.pinafore),
    );
  if (of.sash)
    parts.push(
      clipped(
        body,
        place({ x: -58, y: -300, turn: -32 }, cloth(0, -6, 1, 6, 36, of.sash.seed, of.sash.threads)),
      ),
    );
  parts.push(clipped(body, rect(26, -300, 60, 160, ink, { opacity: 0.09 })));
  if (of.back && of.bag)
    parts.push(
      rect(-38, -262, 76, 96, of.bag, { r: 16 }),
      rect(-26, -214, 52, 36, ink, { opacity: 0.16, r: 8 }),
      rect(-10, -272, 20, 14, of.bag, { r: 6 }),
    );
  return parts.join("");
}

function head(of: Person, skin: Paint): string {
  const hair = of.hair ?? "short";
  const face =
    ellipse(0, -322, 29, 33, skin) + (of.back ? "" : circle(-29, -320, 6, skin) + circle(29, -320, 6, skin));
  const shade = clipped(
    "M-29 -322a29 33 0 1 0 58 0a29 33 0 1 0 -58 0Z",
    rect(8, -360, 30, 80, ink, { opacity: 0.12 }),
  );
  const cap = of.back
    ? ellipse(0, -327, 31, 33, hairColour)
    : path("M-31 -322Q-34 -358 0 -360Q34 -358 31 -322Q26 -340 0 -341Q-26 -340 -31 -322Z", hairColour);
  const styles: Record<Hair, () => string> = {
    short: () => face + shade + cap,
    round: () =>
      circle(0, -334, 44, hairColour) +
      (of.back
        ? ""
        : face +
          shade +
          path("M-30 -326Q-28 -352 0 -352Q28 -352 30 -326Q20 -342 0 -342Q-20 -342 -30 -326Z", hairColour)),
    puffs: () =>
      circle(-30, -354, 18, hairColour) +
      circle(30, -354, 18, hairColour) +
      face +
      shade +
      cap +
      circle(-22, -344, 5, gold) +
      circle(22, -344, 5, gold),
    bun: () => circle(0, -366, 18, hairColour) + face + shade + cap,
    braids: () =>
      times(4, (index) =>
        line(
          `M${index < 2 ? -28 - index * 5 : 28 + (index - 2) * 5} -330L${index < 2 ? -32 - index * 7 : 32 + (index - 2) * 7} -272`,
          hairColour,
          9,
        ),
      ) +
      face +
      shade +
      cap,
    wrap: () =>
      face +
      shade +
      path(
        "M-33 -326Q-40 -372 -8 -378Q10 -400 30 -380Q44 -362 33 -326Q20 -344 0 -344Q-22 -344 -33 -326Z",
        of.wrap ?? clay,
      ) +
      line("M-31 -338Q0 -364 33 -346M-24 -362Q6 -366 36 -362", honey, 5, { opacity: 0.8 }),
    scarf: () =>
      path("M-36 -270Q-44 -364 0 -366Q44 -364 36 -270Q0 -250 -36 -270Z", of.wrap ?? mint) +
      (of.back
        ? ""
        : ellipse(0, -320, 23, 27, skin) +
          clipped(
            "M-23 -320a23 27 0 1 0 46 0a23 27 0 1 0 -46 0Z",
            rect(6, -350, 30, 60, ink, { opacity: 0.12 }),
          )),
  };
  const drawn = styles[hair]();
  return of.bow ? `<g transform="rotate(${of.bow} 0 -290)">${drawn}</g>` : drawn;
}

function arm([elbowX, elbowY, handX, handY]: Arm, side: 1 | -1, sleeve: Paint, skin: Paint): string {
  const shoulder = side * 46;
  return (
    line(`M${shoulder} ${shoulderY}L${elbowX} ${elbowY}L${handX} ${handY}`, skin, 19) +
    line(
      `M${shoulder} ${shoulderY}L${(shoulder + elbowX * 2) / 3} ${(shoulderY + elbowY * 2) / 3}`,
      sleeve,
      27,
    ) +
    circle(handX, handY, 12, skin)
  );
}

/** Heads and shoulders of a class seen from behind, from x to x + width. */
export function rowOfPupils(
  x: number,
  y: number,
  width: number,
  count: number,
  scale: number,
  tops: readonly Paint[],
  first = 0,
): string {
  const hair: Hair[] = ["short", "puffs", "short", "bun", "braids", "scarf", "short", "round"];
  return times(count, (index) =>
    person({
      x: x + (width * (index + 0.5)) / count,
      y,
      scale,
      back: true,
      pose: "bust",
      skin: skins[(index + first) % skins.length],
      hair: hair[(index + first) % hair.length],
      wrap: paper,
      top: tops[(index + first) % tops.length] ?? sand,
      arms: { left: [-66, -200, -50, -150], right: [66, -200, 50, -150] },
    }),
  );
}
