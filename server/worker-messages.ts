import type { DatabaseAddress } from "./database/engine.ts";
import type { Settings } from "./lib/settings.ts";

/** Messages from the first process to a worker: `open` comes first and once, the others at any time. */
export type ToWorker =
  | { type: "open"; settings: Settings; number: number; database: DatabaseAddress | null }
  /** Asks for this worker's own metrics. */
  | { type: "metrics?"; id: number }
  /** Answers `all metrics?`. */
  | { type: "all metrics"; id: number; text: string }
  | { type: "alive?" }
  | { type: "stop" };

/** Messages from a worker to the first process. */
export type FromWorker =
  | { type: "listening"; release: string }
  | { type: "failed"; reason: string }
  /** Answers `alive?`. */
  | { type: "alive" }
  | { type: "metrics"; id: number; metrics: object[] }
  | { type: "all metrics?"; id: number };
