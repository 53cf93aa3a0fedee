import { encode } from "uqr";

/** Units of white that scanners need around the code. */
const QUIET_ZONE = 4;

/**
 * A text's QR code as an SVG path on a grid of `size` units, one rectangle for each run of dark cells in a row. Only the server makes it: the
 * library stays out of browsers.
 */
export function encodeQr(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const path = data.flatMap((row, y) => {
    const cells = row.map((isDark) => (isDark ? "#" : " ")).join("");
    return [...cells.matchAll(/#+/g)].map(
      ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`,
    );
  });
  return { size, path: path.join("") };
}
