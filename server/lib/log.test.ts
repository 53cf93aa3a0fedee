import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createLog, logConsole } from "./log.ts";
import { newRequestId, withRequestId } from "./request-id.ts";

function logTo(isTTY: boolean) {
  const written = { info: "", problems: "" };
  const output = (name: keyof typeof written) => ({
    isTTY,
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { log: createLog(output("info"), output("problems")), written };
}

describe("the log", () => {
  it("writes one JSON object per line with time, level, request, message and fields", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 28, 7, 30) });
    onTestFinished(() => void vi.useRealTimers());
    const { log, written } = logTo(false);
    withRequestId("0123456789ab", () => log.info("GET /shop", { status: 200 }));
    log.error("It failed");
    expect(JSON.parse(written.info)).toEqual({
      time: "2026-11-28T07:30:00.000Z",
      ...{ level: "info", request: "0123456789ab", message: "GET /shop", status: 200 },
    });
    expect(JSON.parse(written.problems)).toEqual({
      time: expect.any(String),
      level: "error",
      message: "It failed",
    });
    expect(written.info.split("\n")).toHaveLength(2);
  });

  it("has what pages and packages print with console as JSON lines too", () => {
    const { log, written } = logTo(false);
    const target = { log() {}, info() {}, warn() {}, error() {} } as unknown as Console;
    logConsole(log, target);
    target.error("Failed to read books (%s)\nat a line", "BackendFailure: no_response");
    target.log("Ready", { port: 1 });
    const lines = (text: string) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(lines(written.problems)).toMatchObject([
      { level: "error", message: "Failed to read books (BackendFailure: no_response)\nat a line" },
    ]);
    expect(lines(written.info)).toMatchObject([{ level: "info", message: "Ready { port: 1 }" }]);
  });

  it("writes sentences on a terminal", () => {
    const { log, written } = logTo(true);
    log.info("http://localhost:3000 is open");
    log.warn("Slow", { ms: 12, unknown: undefined });
    expect(written).toEqual({ info: "http://localhost:3000 is open\n", problems: "Slow ms=12\n" });
  });

  it.each([true, false])("lets no text start a new line or control a terminal (terminal: %s)", (isTTY) => {
    const { log, written } = logTo(isTTY);
    log.info("a\nb\r\u001b[31mc\u2028d\u009be", { path: "x\ny\u001b[2J" });
    expect(written.info).toMatch(/^[^\p{Cc}\p{Zl}]*\n$/u);
  });

  it("keeps the request's id across everything that the request awaits", async () => {
    const { log, written } = logTo(false);
    const ids = [newRequestId(), newRequestId()];
    await Promise.all(
      ids.map((id) =>
        withRequestId(id, async () => {
          await new Promise(setImmediate);
          log.info(id);
        }),
      ),
    );
    const lines = written.info
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ request, message }) => request === message)).toEqual([true, true]);
    expect(ids[0]).not.toBe(ids[1]);
  });
});
