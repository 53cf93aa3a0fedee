import { expect, onTestFinished, test, vi } from "vitest";
import { createPageCache } from "./page-cache.ts";

/** A cache whose questions about the catalogue's version are answered when the test says so, and a clock of its own. */
function open() {
  const clock = { now: 1_000_000 };
  const questions: PromiseWithResolvers<string>[] = [];
  let renders = 0;
  const cache = createPageCache({
    now: () => clock.now,
    catalogueVersion: () => {
      const question = Promise.withResolvers<string>();
      questions.push(question);
      return question.promise;
    },
    render: async (_, state) => {
      renders += 1;
      const body = new TextEncoder().encode(`page ${renders} of ${state}`);
      return { status: 200, headers: new Headers(), body };
    },
  });
  const ask = async (path: string) => (await cache.answer(new Request(`http://shop.example${path}`))).text();
  const isKept = (path: string) => cache.kept(path, "", undefined) !== null;
  return { clock, questions, ask, isKept };
}

/** Lets pending promises settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("A page waits for the catalogue's version, at the start and after a change", async () => {
  stopTime();
  const { clock, questions, ask } = open();
  for (const version of ["one", "two"]) {
    const page = ask("/shop");
    await vi.advanceTimersByTimeAsync(900);
    questions.at(-1)?.resolve(version);
    expect(await page).toContain(`of ${version}`);
    clock.now += 1_001;
  }
});

test("A backend that did not respond is not waited for until it responds again", async () => {
  stopTime();
  const { clock, questions, ask } = open();
  const first = ask("/shop");
  questions[0]?.reject(new Error("no answer"));
  expect(await first).toBe("page 1 of null");
  clock.now += 1_001;
  const second = ask("/shop");
  await vi.advanceTimersByTimeAsync(0);
  expect(await second).toBe("page 2 of null");
  questions[1]?.resolve("one");
  expect(await ask("/shop")).toBe("page 3 of one");
});

test.each<[how: string, end: (question?: PromiseWithResolvers<string>) => void]>([
  ["is answered", (question) => question?.resolve("earlier")],
  ["fails", (question) => question?.reject(new Error("no answer"))],
])("A request for the version that %s after the next one changes nothing", async (_, end) => {
  const { clock, questions, ask, isKept } = open();
  const slow = ask("/about");
  clock.now += 1_001;
  const fast = ask("/shop");
  await settle();
  questions[1]?.resolve("now");
  await fast;
  end(questions[0]);
  await slow;
  expect(isKept("/shop")).toBe(true);
  expect(await ask("/shop")).toBe("page 1 of now");
  expect(questions).toHaveLength(2);
});
