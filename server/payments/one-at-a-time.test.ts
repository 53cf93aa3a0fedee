import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

/** Questions whose answers come when the test says so. */
function slowAnswers() {
  const asked: { key: string; answer: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const ask = oneAtATime(
    (key: string) =>
      new Promise<string>((answer, fail) => {
        asked.push({ key, answer, fail });
      }),
  );
  return { asked, ask };
}

test("Calls that arrive while a request is pending share the next one, which is sent after it", async () => {
  const { asked, ask } = slowAnswers();
  const [first, second, third] = [ask("a"), ask("a"), ask("a")];
  expect(asked).toHaveLength(1);
  asked[0]?.answer("old");
  expect(await first).toBe("old");
  await expect.poll(() => asked.length).toBe(2);
  const fourth = ask("a");
  asked[1]?.answer("new");
  expect(await Promise.all([second, third])).toEqual(["new", "new"]);
  await expect.poll(() => asked.length).toBe(3);
  asked[2]?.answer("newest");
  expect(await fourth).toBe("newest");
});

test("A failure reaches only those who asked; the next request is still sent", async () => {
  const { asked, ask } = slowAnswers();
  const [first, second] = [ask("a"), ask("a")];
  asked[0]?.fail(new Error("no answer"));
  await expect(first).rejects.toThrow("no answer");
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer("there");
  expect(await second).toBe("there");
});

test("Requests about different things don't wait for each other, and nothing is remembered", async () => {
  const { asked, ask } = slowAnswers();
  const both = [ask("a"), ask("b")];
  expect(asked.map(({ key }) => key)).toEqual(["a", "b"]);
  for (const { answer } of asked) answer("done");
  await Promise.all(both);
  void ask("a");
  expect(asked).toHaveLength(3);
});
