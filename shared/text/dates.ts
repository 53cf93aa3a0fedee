/** Dates are always shown in Ghana's time zone, wherever the reader is. */

const SHOP_TIME_ZONE = "Africa/Accra";

const date = { day: "numeric", month: "short", year: "numeric", timeZone: SHOP_TIME_ZONE } as const;
const day = new Intl.DateTimeFormat("en-GB", date);
const minute = new Intl.DateTimeFormat("en-GB", { ...date, hour: "2-digit", minute: "2-digit" });

/** '20 Nov 2026' from a database timestamp. */
export function formatDay(at: string): string {
  return day.format(new Date(at));
}

/** '20 Nov 2026, 08:05' from a database timestamp. */
export function formatMinute(at: string): string {
  return minute.format(new Date(at));
}

/** '2026-11-20 08:05' from a database timestamp: spreadsheets read it as a date. Ghana is on UTC all year. */
export function sortableMinute(at: string | Date): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: SHOP_TIME_ZONE });
const time = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: SHOP_TIME_ZONE,
});

/**
 * 'Saturday 5 Dec 2026, 09:00 to 12:30', or with both days if it ends on another one. Browsers may format months
 * differently, so the server formats it.
 */
export function formatPeriod(startsAt: string, endsAt: string): string {
  const dayOf = (at: string) => `${weekday.format(new Date(at))} ${formatDay(at)}`;
  const start = `${dayOf(startsAt)}, ${time.format(new Date(startsAt))}`;
  const end = time.format(new Date(endsAt));
  return `${start} to ${formatDay(startsAt) === formatDay(endsAt) ? end : `${dayOf(endsAt)}, ${end}`}`;
}
