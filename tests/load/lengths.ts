/** `npm run bench -- --quick`: each measurement is short and proves only that it runs to its end; its figures mean nothing. */
export const isQuick = process.argv.includes("--quick");

export const fullOrQuick = (full: number, quick: number): number => (isQuick ? quick : full);

/** A measurement's seconds and how often it is repeated, unless BENCH_SECONDS and BENCH_TURNS are set. */
export const secondsOr = (full: number): number => Number(process.env.BENCH_SECONDS ?? fullOrQuick(full, 1));
export const turnsOr = (full: number): number => Number(process.env.BENCH_TURNS ?? fullOrQuick(full, 1));
