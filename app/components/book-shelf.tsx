type Spine = { width: number; height: number; colour: string; title: string; ink: string; bands: Band[] };
type Band = { from: number; height: number; colour: string };

const DEEP = "var(--color-green-deep)";
const GOLD = "var(--color-gold)";
const CLAY = "var(--color-clay)";
const PAPER = "var(--color-paper)";
const SKY = "var(--color-sky)";
const INK = "var(--color-ink)";

const spines: Spine[] = [
  spine(46, 236, CLAY, "Mathematics 4", PAPER, [14, 6, GOLD], [26, 3, GOLD]),
  spine(34, 206, PAPER, "Phonics", INK, [12, 10, SKY]),
  spine(58, 268, GOLD, "World Atlas", INK, [18, 8, CLAY], [32, 8, DEEP], [46, 8, CLAY]),
  spine(40, 222, SKY, "Chemistry", PAPER, [14, 4, GOLD], [24, 4, PAPER]),
  spine(30, 190, INK, "French 1", GOLD, [12, 6, GOLD]),
  spine(52, 250, PAPER, "English", INK, [16, 12, CLAY], [34, 4, CLAY]),
  spine(38, 214, DEEP, "Physics", PAPER, [12, 4, GOLD], [20, 4, GOLD], [28, 4, GOLD]),
  spine(48, 244, CLAY, "Geography", PAPER, [16, 10, PAPER]),
  spine(32, 200, GOLD, "Spelling", INK, [12, 4, INK], [20, 4, INK]),
];

function spine(
  width: number,
  height: number,
  colour: string,
  title: string,
  ink: string,
  ...bands: [number, number, string][]
) {
  return {
    width,
    height,
    colour,
    title,
    ink,
    bands: bands.map(([from, bandHeight, bandColour]) => ({ from, height: bandHeight, colour: bandColour })),
  };
}

const SHELF_HEIGHT = 280;
/** How far the foot of the last book, tilted by 8 degrees, is from its neighbour when its top rests on it. */
const LEAN_FOOT = 27;
const LEANING = 54;

/** A row of books on a dark ground, the last one leaning; decoration, inline SVG because it is painted first. */
export function BookShelf({ className }: { className?: string }) {
  let x = 0;
  const placed = spines.map((one) => {
    const left = x;
    x += one.width + 3;
    return { ...one, left };
  });
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${x + LEANING} ${SHELF_HEIGHT}`} className={className}>
      {placed.map(({ left, width, height, colour, title, ink, bands }, index) => {
        const top = SHELF_HEIGHT - height;
        const leans = index === placed.length - 1;
        return (
          <g
            key={title}
            transform={leans ? `translate(${LEAN_FOOT} 0) rotate(-8 ${left} ${SHELF_HEIGHT})` : undefined}
          >
            <rect x={left} y={top} width={width} height={height} rx="3" fill={colour} />
            {bands.map((band) => (
              <g key={band.from} fill={band.colour}>
                <rect x={left} y={top + band.from} width={width} height={band.height} />
                <rect
                  x={left}
                  y={SHELF_HEIGHT - band.from - band.height}
                  width={width}
                  height={band.height}
                />
              </g>
            ))}
            <text
              transform={`translate(${left + width / 2} ${top + height / 2}) rotate(-90)`}
              textAnchor="middle"
              dominantBaseline="central"
              fontFamily="var(--font-display)"
              fontSize={width > 45 ? 21 : 17}
              fontWeight="600"
              fill={ink}
            >
              {title}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
