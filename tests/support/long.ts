/** Whether this is a part of `npm run test:long`, which takes a night if need be, and not of the gate. */
export const isLong = process.env.LONG === "1";

/** How many random samples, rows or rounds a test takes: few in the gate, many in the long run. */
export const inGateOrLong = (inGate: number, long: number): number => (isLong ? long : inGate);
