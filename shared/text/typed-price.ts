import { maxPesewas, type Pesewas, pesewasFromCedis } from "./money.ts";

/** Reads prices as people type them and suppliers' tables contain them. */

const CURRENCY = /^(?:GH[₵¢?]|GH[SC]|GH|[₵¢?]|cedis?)[.:]?|(?:GH[₵¢?]|GH[SC]|[₵¢]|cedis?)$/giu;

/**
 * A price: '45', 'GHS45.00', 'GH₵ 1,234.50', '1.234,50', '1 234,5', '45/='.
 * @returns null when it is not an amount of at least 0 that the shop can hold
 */
export function readPrice(text: string): Pesewas | "ambiguous" | null {
  // Spaces stand before three digits: '45 50' may be 45.50.
  if (/\d[\s\p{Z}'’]+(?!\d{3}(?!\d))\d/u.test(text)) return "ambiguous";
  const bare = text
    .replace(/[\s\p{Z}'’]/gu, "")
    .replace(CURRENCY, "")
    .replace(/(?:\/[=-]|[.,]-)$/, "");
  const number = readDecimal(bare);
  if (number === null || number === "ambiguous") return number;
  return number * 100 > maxPesewas ? null : pesewasFromCedis(number);
}

/**
 * A number with a decimal point or comma, of at most two decimals that count. A comma before three digits separates
 * thousands, as in Ghana; a point there may be either.
 */
export function readDecimal(text: string): number | null | "ambiguous" {
  const [, whole = "", mark, fraction = ""] = /^([\d.,]*?)(?:([.,])(\d*))?$/.exec(text) ?? [];
  if (!/\d/.test(text) || !/^[\d.,]*$/.test(text)) return null;
  if (mark === undefined) return Number(whole);
  const other = mark === "." ? "," : ".";
  const grouped = (sign: string) => new RegExp(`^\\d{1,3}(?:\\${sign}\\d{3})+$`);
  if (grouped(mark).test(text) && (mark === "," || text.split(mark).length > 2)) {
    return Number(text.replaceAll(mark, ""));
  }
  if (/^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3) return "ambiguous";
  if (!/^\d*$/.test(whole) && !grouped(other).test(whole)) return null;
  if (!/^\d{0,2}0*$/.test(fraction)) return null;
  return Number(`${whole.replaceAll(other, "") || "0"}.${fraction || "0"}`);
}

/** '30', '12.5 %'; null outside 0 to 100. */
export function readPercent(typed: string): number | null {
  const percent = readDecimal(typed.replace("%", "").trim());
  return typeof percent === "number" && percent <= 100 ? percent : null;
}
