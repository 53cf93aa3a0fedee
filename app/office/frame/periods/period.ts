import type { SchoolTerm } from "#shared/owner/settings.ts";

/** Days as '2026-11-26', in Ghana's time, which is UTC. */
export type Period = { from: string; to: string };

const DAY_MS = 24 * 60 * 60 * 1000;

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const dateOf = (day: string) => new Date(`${day}T00:00Z`);

/** The day this many days later, or earlier if negative. */
const daysAfter = (day: string, days: number): string =>
  dayOf(new Date(dateOf(day).getTime() + days * DAY_MS));

/** The first day of the month this many months later. */
const monthAfter = (day: string, months: number): string => {
  const date = dateOf(day);
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)));
};

/** The Monday of a day's week. */
const mondayOf = (day: string): string => daysAfter(day, -((dateOf(day).getUTCDay() + 6) % 7));

/** The same days a year earlier; 29 February becomes the 28th. */
export function yearBefore({ from, to }: Period): Period {
  const before = (day: string) => {
    const earlier = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
    return earlier.endsWith("-02-29") ? earlier.replace("-29", "-28") : earlier;
  };
  return { from: before(from), to: before(to) };
}

export const fixedPeriods = {
  today: "Today",
  week: "This week",
  month: "This month",
  "last-month": "Last month",
  year: "This year",
  "12-months": "Last 12 months",
} as const;

type FixedPeriod = keyof typeof fixedPeriods;

const DEFAULT: FixedPeriod = "month";

const fixed: Record<FixedPeriod, (today: string) => Period> = {
  today: (today) => ({ from: today, to: today }),
  week: (today) => ({ from: mondayOf(today), to: today }),
  month: (today) => ({ from: monthAfter(today, 0), to: today }),
  "last-month": (today) => ({ from: monthAfter(today, -1), to: daysAfter(monthAfter(today, 0), -1) }),
  year: (today) => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
  "12-months": (today) => ({ from: monthAfter(today, -11), to: today }),
};

/** Whether the calendar has this day. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && (dateOf(text).toJSON()?.startsWith(text) ?? false);

/** A term's key in a URL. */
export const termKey = ({ from, to }: SchoolTerm): string => `${from}_${to}`;

/** The key of a choice, and its days; an invalid choice falls back to this month. */
export function readPeriod(params: URLSearchParams, today: string): Period & { key: string } {
  const key = params.get("period") ?? DEFAULT;
  const [from = "", to = ""] = key.split("_");
  if (isDay(from) && isDay(to) && from <= to) return { key, from, to };
  const valid = Object.hasOwn(fixed, key) ? (key as FixedPeriod) : DEFAULT;
  return { key: valid, ...fixed[valid](today) };
}

export const grains = { day: "By day", week: "By week", month: "By month" } as const;

export type Grain = keyof typeof grains;

const daysIn = ({ from, to }: Period) => (dateOf(to).getTime() - dateOf(from).getTime()) / DAY_MS + 1;

/** The chosen grain, or one that gives a chart of a few dozen columns. */
export function grainOf(params: URLSearchParams, period: Period): Grain {
  const days = daysIn(period);
  const chosen = params.get("grain") ?? "";
  // More columns than these can't be told apart.
  if (chosen === "month" || (chosen === "week" && days <= 1_000) || (chosen === "day" && days <= 200))
    return chosen;
  return days <= 45 ? "day" : days <= 400 ? "week" : "month";
}

/** The first days of all columns of a period, its own first day first. */
export function columnsOf({ from, to }: Period, grain: Grain): string[] {
  const columns = [from];
  const next = (day: string) =>
    grain === "day" ? daysAfter(day, 1) : grain === "week" ? daysAfter(mondayOf(day), 7) : monthAfter(day, 1);
  for (let day = next(from); day <= to; day = next(day)) columns.push(day);
  return columns;
}

/** Part of a period, such as a school term. */
export type Span = Period & { name: string };

/** The school terms of a period, and the days between them, in their order. Each day is in one. */
export function termSpans({ from, to }: Period, terms: readonly SchoolTerm[]): Span[] {
  const spans: Span[] = [];
  let next = from;
  const add = (name: string, last: string) => {
    if (next > last) return;
    spans.push({ name, from: next, to: last });
    next = daysAfter(last, 1);
  };
  for (const term of terms.toSorted((a, b) => a.from.localeCompare(b.from))) {
    if (term.from > to) break;
    add("Between terms", daysAfter(term.from, -1));
    add(term.name, term.to < to ? term.to : to);
  }
  add("Between terms", to);
  return spans;
}
