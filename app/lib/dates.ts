/** Dates as the shop writes them, in Ghana's time whoever looks and wherever. */

const SHOP_TIME_ZONE = "Africa/Accra";

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: SHOP_TIME_ZONE,
});

const minute = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: SHOP_TIME_ZONE,
});

/** '20 Nov 2026' of a time as the database writes it. */
export function formatDay(at: string): string {
  return day.format(new Date(at));
}

/** '20 Nov 2026, 08:05' of a time as the database writes it. */
export function formatMinute(at: string): string {
  return minute.format(new Date(at));
}

/** '2026-11-20 08:05' of a time as the database writes it: spreadsheets take it for a date. Ghana's clock shows UTC. */
export function sortableMinute(at: string | Date): string {
  return new Date(at).toISOString().slice(0, 16).replace("T", " ");
}
