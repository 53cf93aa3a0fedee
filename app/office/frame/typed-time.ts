import { formatMinute } from "#shared/text/dates.ts";

/* Times in the format of the browser's field, in Ghana's time, which is UTC all year: '2026-12-05T09:00'. */

export const localTime = (at: string) => new Date(at).toISOString().slice(0, 16);

export const isTime = (typed: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(typed) && !Number.isNaN(Date.parse(`${typed}Z`));

/** '5 Dec 2026, 09:00': browsers show what was chosen in their own language's form. */
export const chosenTime = (typed: string) => (isTime(typed) ? formatMinute(`${typed}Z`) : undefined);
