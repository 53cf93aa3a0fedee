import fc from "fast-check";
import { inGateOrLong } from "./long.ts";

/*
 * fast-check, with the run's seed and few samples in the gate. A failure prints its own seed and path; TEST_SEED=N npm test
 * repeats a run.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED), numRuns: inGateOrLong(20, 1_000) });

export { fc };
