import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportWhile } from "./build.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("logs every ten seconds that the build is still running, until it ends", async () => {
  const lines: string[] = [];
  const work = Promise.withResolvers<string>();
  const reported = reportWhile("Building the pages: compiling", work.promise, (line) => lines.push(line));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(lines).toEqual([]);
  await vi.advanceTimersByTimeAsync(20_001);
  const expected = [10, 20, 30].map((seconds) => `Building the pages: compiling, ${seconds} s so far …`);
  expect(lines).toEqual(expected);
  work.resolve("done");
  expect(await reported).toBe("done");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual(expected);
});

test("stops logging and rejects when the build fails", async () => {
  const lines: string[] = [];
  const failure = new Error("The build failed");
  await expect(reportWhile("Building", Promise.reject(failure), (line) => lines.push(line))).rejects.toBe(
    failure,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(lines).toEqual([]);
});
