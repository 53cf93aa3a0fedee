const LISTS_ARE_MADE_FROM_MONTH = 5;

/** '2027/2028' after '2026/2027'. */
export function nextSchoolYear(schoolYear: string): string {
  const start = Number(schoolYear.slice(0, 4)) + 1;
  return `${start}/${start + 1}`;
}

/**
 * The school year whose lists staff prepare on a given day: it starts in September, and its lists are prepared from
 * June.
 */
export function schoolYearAt(day: Date): string {
  const start = day.getUTCFullYear() - (day.getUTCMonth() < LISTS_ARE_MADE_FROM_MONTH ? 1 : 0);
  return `${start}/${start + 1}`;
}

/** Whether it is two consecutive years: the database refuses anything else. */
export function isSchoolYear(text: string): boolean {
  const [, start, end] = /^(20\d\d)\/(20\d\d)$/.exec(text) ?? [];
  return Number(end) === Number(start) + 1;
}
