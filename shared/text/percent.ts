/** '37.5 %' of an amount, rounded to one decimal; '–' of nothing. */
export function percentOf(part: number, whole: number): string {
  if (whole === 0) return "–";
  return `${(Math.round((part * 1000) / whole) / 10).toLocaleString("en-GB")} %`;
}
