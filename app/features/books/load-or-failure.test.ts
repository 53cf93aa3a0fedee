import { expect, onTestFinished, test, vi } from "vitest";
import { failureFrom } from "#app/lib/backend/response.ts";
import { loadedOrLost, loadOrFailure } from "./load-or-failure.ts";

function watchLog() {
  const logged = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => void logged.mockRestore());
  return logged;
}

const LOST = new TypeError("Failed to fetch");
const UNREACHABLE = { loaded: null, failure: "We can't reach the catalogue right now" };

test("A successful read is loaded, without a failure", async () => {
  expect((await loadOrFailure(async () => ["a book"])).data).toEqual({ loaded: ["a book"], failure: null });
});

test("A failed read gives a response with status 503 that says when to retry, and is logged", async () => {
  const logged = watchLog();
  const failed = await loadOrFailure(() => Promise.reject(failureFrom({}, 503)));
  expect(failed).toMatchObject({ data: UNREACHABLE, init: { status: 503, headers: { "Retry-After": "5" } } });
  expect(logged.mock.calls.flat().join(" ")).toContain("Failed to read books");
});

test("A visitor who has sent too many requests gets status 429 and when to retry", async () => {
  const details = JSON.stringify({ code: "too_many_codes", retry_after_seconds: 90 });
  const refused = failureFrom({ code: "PT429", message: "Too many codes.", details }, 429);
  expect(await loadOrFailure(() => Promise.reject(refused))).toMatchObject({
    data: { loaded: null, failure: "Too many codes." },
    init: { status: 429, headers: { "Retry-After": "90" } },
  });
});

test("A bug is not a failure of the backend", async () => {
  await expect(loadOrFailure(() => Promise.reject(new RangeError("bug")))).rejects.toThrow("bug");
});

const load = (serverLoader: () => Promise<unknown>, signal = new AbortController().signal) =>
  loadedOrLost({
    request: new Request("http://shop.example/", { signal }),
    serverLoader,
    pause: () => Promise.resolve(),
  });

/** Whether the device says that it has a connection. */
function stubOnline(onLine: boolean) {
  vi.stubGlobal("navigator", { onLine });
  onTestFinished(() => void vi.unstubAllGlobals());
}

test("A page's data arrives unchanged, and if it was lost on the way the page says so", async () => {
  const logged = watchLog();
  stubOnline(true);
  expect(await load(async () => "data")).toBe("data");
  expect(logged).not.toHaveBeenCalled();
  expect(await load(() => Promise.reject(LOST))).toEqual(UNREACHABLE);
  expect(logged.mock.calls.flat().join(" ")).toContain("Failed to read books");
});

test("a lost response is retried twice on a device with a connection, and not without one", async () => {
  watchLog();
  stubOnline(true);
  const lost = () => vi.fn<() => Promise<string>>().mockRejectedValue(LOST);
  const late = vi.fn<() => Promise<string>>().mockResolvedValue("data");
  expect(await load(late.mockRejectedValueOnce(LOST).mockRejectedValueOnce(LOST))).toBe("data");
  const never = lost();
  expect(await load(never)).toEqual(UNREACHABLE);
  expect(never).toHaveBeenCalledTimes(3);
  stubOnline(false);
  const once = lost();
  expect(await load(once)).toEqual(UNREACHABLE);
  expect(once).toHaveBeenCalledTimes(1);
});

test("A page that was left, and a bug, do not count as lost responses", async () => {
  const left = new AbortController();
  const leave = () => {
    left.abort();
    return Promise.reject(LOST);
  };
  await expect(load(leave, left.signal)).rejects.toBe(LOST);
  await expect(load(() => Promise.reject(new RangeError("bug")))).rejects.toThrow("bug");
});
