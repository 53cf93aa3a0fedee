import { expect, test } from "vitest";
import { createLatestRequest } from "./latest-request.ts";

/** Requests that are answered when the test says so. */
function openRequests() {
  const sent: PromiseWithResolvers<string>[] = [];
  const request = () => {
    const pending = Promise.withResolvers<string>();
    sent.push(pending);
    return pending.promise;
  };
  return { sent, request };
}

test("Only the latest of several requests gets its result or its failure", async () => {
  const { sent, request } = openRequests();
  const latest = createLatestRequest();
  const [stale, failed, last] = [latest.run(request), latest.run(request), latest.run(request)];
  sent[0]?.resolve("stale");
  sent[1]?.reject(new Error("stale"));
  sent[2]?.resolve("now");
  expect([await stale, await failed, await last]).toEqual([null, null, { result: "now" }]);
  const failure = new Error("lost");
  expect(await latest.run(() => Promise.reject(failure))).toEqual({ failure });
});

test("A request sent before a change is sent again, and a cancelled request gets no response", async () => {
  const { sent, request } = openRequests();
  const latest = createLatestRequest();
  const result = latest.run(request);
  latest.markChanged();
  sent[0]?.resolve("before");
  await Promise.resolve();
  await Promise.resolve();
  sent[1]?.resolve("after");
  expect(await result).toEqual({ result: "after" });
  const cancelled = latest.run(request);
  latest.cancel();
  sent[2]?.resolve("too late");
  expect(await cancelled).toBeNull();
});
