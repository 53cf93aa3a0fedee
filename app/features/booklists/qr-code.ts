import { encode } from "uqr";

/** Units of white that scanners need around the code. */
const QUIET_ZONE = 4;

/** A text's QR code as an SVG path on a grid of `size` units. Only the server makes it: the library stays out of browsers. */
export function qrCode(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return { size, path };
}
