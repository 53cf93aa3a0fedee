import type { Settings } from "./shared/settings.ts";

/** Messages from the first process to a worker: `open` comes first and once, the others at any time. */
export type ToWorker =
  | { type: "open"; settings: Settings; number: number; publishableKey: string; isBackendUp: boolean }
  | { type: "backend"; isUp: boolean }
  /** Asks for this worker's own metrics. */
  | { type: "figures?"; id: number }
  /** Answers `all figures?`. */
  | { type: "all figures"; id: number; text: string }
  | { type: "alive?" }
  | { type: "stop" };

/** Messages from a worker to the first process. */
export type FromWorker =
  | { type: "listening"; release: string }
  | { type: "failed"; reason: string }
  /** Answers `alive?`. */
  | { type: "alive" }
  | { type: "figures"; id: number; metrics: object[] }
  | { type: "all figures?"; id: number };
