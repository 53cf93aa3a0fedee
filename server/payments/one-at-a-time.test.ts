import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

/** Requests that the test resolves or rejects. */
function open() {
  const requests: { key: string; resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const send = oneAtATime(
    (key: string) =>
      new Promise<string>((resolve, reject) => {
        requests.push({ key, resolve, reject });
      }),
  );
  return { requests, send };
}

test("Calls that arrive while a request is pending share the next one, which is sent after it", async () => {
  const { requests, send } = open();
  const [first, second, third] = [send("a"), send("a"), send("a")];
  expect(requests).toHaveLength(1);
  requests[0]?.resolve("old");
  expect(await first).toBe("old");
  await expect.poll(() => requests.length).toBe(2);
  const fourth = send("a");
  requests[1]?.resolve("new");
  expect(await Promise.all([second, third])).toEqual(["new", "new"]);
  await expect.poll(() => requests.length).toBe(3);
  requests[2]?.resolve("newest");
  expect(await fourth).toBe("newest");
});

test("A failed request rejects only its own callers; the next request is still sent", async () => {
  const { requests, send } = open();
  const [first, second] = [send("a"), send("a")];
  requests[0]?.reject(new Error("no response"));
  await expect(first).rejects.toThrow("no response");
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.resolve("there");
  expect(await second).toBe("there");
});

test("Requests with different keys don't wait for each other, and nothing is cached", async () => {
  const { requests, send } = open();
  const both = [send("a"), send("b")];
  expect(requests.map(({ key }) => key)).toEqual(["a", "b"]);
  for (const { resolve } of requests) resolve("done");
  await Promise.all(both);
  void send("a");
  expect(requests).toHaveLength(3);
});
