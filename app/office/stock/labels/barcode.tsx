import { BARS, barsOf, encodeEan13, MODULE_MM, QUIET_LEFT, WIDTH } from "./ean13.ts";

/** The height of the digits and how far the guard bars extend between them; in modules. */
const DIGITS_HEIGHT = 9;
const GUARD_LENGTH = 5;

type BarcodeProps = {
  /** 13 digits with their check digit. */
  digits: string;
  /** 0.8 to 1, relative to the nominal size. */
  scale: number;
  heightMm: number;
};

/** An EAN-13 barcode with its quiet zones and digits, drawn in millimetres. */
export function Barcode({ digits, scale, heightMm }: BarcodeProps) {
  const moduleMm = MODULE_MM * scale;
  const height = heightMm / moduleMm;
  const bars = height - DIGITS_HEIGHT;
  const path = barsOf(encodeEan13(digits))
    .map(({ x, width, isGuard }) => {
      const length = isGuard ? bars + GUARD_LENGTH : bars;
      return `M${QUIET_LEFT + x} 0h${width}v${length}h${-width}z`;
    })
    .join("");
  const group = (text: string, x: number, length: number) => (
    <text x={x} y={height - 0.5} textLength={length} lengthAdjust="spacingAndGlyphs">
      {text}
    </text>
  );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      width={`${WIDTH * moduleMm}mm`}
      height={`${heightMm}mm`}
      role="img"
      aria-label={`Barcode ${digits}`}
    >
      <rect width={WIDTH} height={height} fill="#fff" />
      <path d={path} fill="#000" />
      <g fill="#000" fontFamily="monospace" fontSize={9.5}>
        {group(digits.slice(0, 1), 2, 6)}
        {group(digits.slice(1, 7), QUIET_LEFT + 4, 40)}
        {group(digits.slice(7), QUIET_LEFT + BARS - 44, 40)}
      </g>
    </svg>
  );
}
