import type { Settings } from "./shared/settings.ts";

/** What the first process sends to a worker: `open` first and once, the others at any time. */
export type ToWorker =
  | { type: "open"; settings: Settings; number: number; publishableKey: string; isBackendUp: boolean }
  | { type: "backend"; isUp: boolean }
  /** Asks for this worker's own metrics. */
  | { type: "figures?"; id: number }
  /** Answers `all figures?`. */
  | { type: "all figures"; id: number; text: string }
  | { type: "stop" };

/** What a worker sends to the first process. */
export type FromWorker =
  | { type: "listening"; release: string }
  | { type: "failed"; reason: string }
  | { type: "figures"; id: number; metrics: object[] }
  | { type: "all figures?"; id: number };
