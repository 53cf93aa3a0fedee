/** Small words for writing SVG. All lengths are in the picture's own units. */

import { seedOf } from "#app/features/book-covers/cover-cloth.ts";

export type Paint = string;

interface Style {
  /** Opacity, 0 to 1. */
  opacity?: number;
  stroke?: Paint;
  strokeWidth?: number;
  transform?: string;
}

function attributes(fill: Paint, { opacity, stroke, strokeWidth, transform }: Style): string {
  return [
    `fill="${fill}"`,
    opacity === undefined ? "" : `opacity="${opacity}"`,
    stroke
      ? `stroke="${stroke}" stroke-width="${strokeWidth ?? 4}" stroke-linecap="round" stroke-linejoin="round"`
      : "",
    transform ? `transform="${transform}"` : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** A whole picture. */
export function svg(width: number, height: number, ...parts: string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${parts.join("")}</svg>`;
}

export function rect(
  x: number,
  y: number,
  w: number,
  h: number,
  fill: Paint,
  style: Style & { r?: number } = {},
) {
  const round = style.r ? ` rx="${style.r}"` : "";
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}"${round} ${attributes(fill, style)}/>`;
}

export function circle(x: number, y: number, r: number, fill: Paint, style: Style = {}) {
  return `<circle cx="${x}" cy="${y}" r="${r}" ${attributes(fill, style)}/>`;
}

export function ellipse(x: number, y: number, rx: number, ry: number, fill: Paint, style: Style = {}) {
  return `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" ${attributes(fill, style)}/>`;
}

export function path(d: string, fill: Paint, style: Style = {}) {
  return `<path d="${d}" ${attributes(fill, style)}/>`;
}

/** An open line with round ends. */
export function line(d: string, stroke: Paint, strokeWidth: number, style: Style = {}) {
  return path(d, "none", { ...style, stroke, strokeWidth });
}

export function poly(points: readonly (readonly [number, number])[], fill: Paint, style: Style = {}) {
  return path(`M${points.map((point) => point.join(" ")).join("L")}Z`, fill, style);
}

/** Parts moved, turned (degrees, about their own origin) and scaled together. */
export function place(
  at: { x?: number; y?: number; scale?: number; turn?: number; flip?: boolean },
  ...parts: string[]
) {
  const { x = 0, y = 0, scale = 1, turn = 0, flip = false } = at;
  return `<g transform="translate(${x} ${y}) rotate(${turn}) scale(${flip ? -scale : scale} ${scale})">${parts.join("")}</g>`;
}

/** Parts cut to the inside of a path. The clip is named after what it cuts, so that a picture is always the same text. */
export function clipped(d: string, ...parts: string[]): string {
  const id = `c${seedOf(d + parts.join("")).toString(36)}`;
  return `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">${parts.join("")}</g>`;
}

/** The path of a rectangle with its corners, for clipping. */
export function box(x: number, y: number, w: number, h: number): string {
  return `M${x} ${y}h${w}v${h}h${-w}Z`;
}

/** As many results as asked, joined. */
export function times(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join("");
}

/** Repeatable chance: the same seed gives the same picture. */
export function chance(seed: number) {
  let state = seed * 2654435761 + 1;
  const next = () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    state ^= state >>> 12;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low: number, high: number) => Math.round(low + next() * (high - low)),
    of: <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)] as Item,
  };
}
