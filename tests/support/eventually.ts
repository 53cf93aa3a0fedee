import { vi } from "vitest";

/** Long enough for any machine: what gets this far has failed. */
const TIMEOUT_MS = 60_000;

/**
 * Repeats a check until it passes: until it neither throws nor returns false.
 * @throws the last error, after a minute or `timeout` milliseconds
 */
export function eventually<T>(
  check: () => T | Promise<T>,
  options: { timeout?: number; interval?: number } | number = {},
): Promise<Exclude<T, false>> {
  const attempt = async () => {
    const result = await check();
    if (result === false) throw new Error("It has not become true.");
    return result as Exclude<T, false>;
  };
  const given = typeof options === "number" ? { timeout: options } : options;
  return vi.waitFor(attempt, { timeout: TIMEOUT_MS, interval: 20, ...given });
}
