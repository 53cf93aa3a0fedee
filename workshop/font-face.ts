/** The CSS of the display face and of its metric-matched fallbacks, so that no line moves when the face arrives. */

interface FaceMetrics {
  ascentEm: number;
  descentEm: number;
  /** Average advance of a letter over the sample text. */
  averageEm: number;
}

interface Fallback {
  family: string;
  local: string[];
  averageEm: number;
}

const percent = (share: number) => `${(share * 100).toFixed(2)}%`;

/** A line box is measured in the font's size after size-adjust, so ascent and descent are divided by it. */
function lineMetrics(metrics: FaceMetrics, scale: number): string[] {
  return [
    `  size-adjust: ${percent(scale)};`,
    `  ascent-override: ${percent(metrics.ascentEm / scale)};`,
    `  descent-override: ${percent(metrics.descentEm / scale)};`,
    "  line-gap-override: 0%;",
  ];
}

/**
 * The @font-face of a delivered file. One semi-bold answers for every weight, so that browsers never thicken it.
 * `text` limits it to those letters; `scale` (with `metrics`) fits them to the main face's height.
 */
export function displayFace(face: {
  url: string;
  text?: string;
  scale?: number;
  metrics?: FaceMetrics;
}): string {
  return [
    "@font-face {",
    '  font-family: "Shop Display";',
    `  src: url("${face.url}") format("woff2");`,
    "  font-weight: 400 800;",
    "  font-style: normal;",
    "  font-display: swap;",
    ...(face.scale && face.metrics ? lineMetrics(face.metrics, face.scale) : []),
    ...(face.text ? [`  unicode-range: ${unicodeRange(face.text)};`] : []),
    "}",
  ].join("\n");
}

/** A face that people have on their machine, stretched to the display face's width, in its line box. */
export function fallbackFace(fallback: Fallback, metrics: FaceMetrics): string {
  return [
    "@font-face {",
    `  font-family: "${fallback.family}";`,
    `  src: ${fallback.local.map((name) => `local("${name}")`).join(", ")};`,
    "  font-weight: 400 800;",
    ...lineMetrics(metrics, metrics.averageEm / fallback.averageEm),
    "}",
  ].join("\n");
}

function unicodeRange(text: string): string {
  return [...text].map((letter) => `U+${letter.codePointAt(0)?.toString(16).toUpperCase()}`).join(", ");
}
