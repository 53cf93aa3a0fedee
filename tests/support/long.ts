/** Whether this is a part of `npm run test:long`, which takes a night if need be, and not of the gate. */
export const isLong = Boolean(process.env.LONG);

/** Whether whole files of long tests have a part of their own. */
export const withoutLongFiles = process.env.LONG === "without long files";

/** How many random samples, rows or rounds a test takes: few in the gate, many in the long run. */
export const inGateOrLong = (inGate: number, long: number): number => (isLong ? long : inGate);
