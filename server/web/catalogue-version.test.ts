import { expect, onTestFinished, test, vi } from "vitest";
import { createPageCache } from "./page-cache.ts";

/** A cache with its own clock; the test decides when each request for the catalogue's version is resolved. */
function open() {
  const clock = { now: 1_000_000 };
  const versionRequests: PromiseWithResolvers<string>[] = [];
  let renders = 0;
  const cache = createPageCache({
    now: () => clock.now,
    catalogueVersion: () => {
      const request = Promise.withResolvers<string>();
      versionRequests.push(request);
      return request.promise;
    },
    render: async (_, state) => {
      renders += 1;
      const body = new TextEncoder().encode(`page ${renders} of ${state}`);
      return { status: 200, headers: new Headers(), body };
    },
  });
  const load = async (path: string) =>
    (await cache.respond(new Request(`http://shop.example${path}`))).text();
  const isCached = (path: string) => cache.cached(path, "", undefined) !== null;
  return { clock, versionRequests, load, isCached };
}

/** Lets pending promises settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("A page waits for the catalogue's version on startup and after a change", async () => {
  stopTime();
  const { clock, versionRequests, load } = open();
  for (const version of ["one", "two"]) {
    const page = load("/shop");
    await vi.advanceTimersByTimeAsync(900);
    versionRequests.at(-1)?.resolve(version);
    expect(await page).toContain(`of ${version}`);
    clock.now += 1_001;
  }
});

test("After a failed request for the version, pages don't wait for it until one succeeds", async () => {
  stopTime();
  const { clock, versionRequests, load } = open();
  const first = load("/shop");
  versionRequests[0]?.reject(new Error("no response"));
  expect(await first).toBe("page 1 of null");
  clock.now += 1_001;
  const second = load("/shop");
  await vi.advanceTimersByTimeAsync(0);
  expect(await second).toBe("page 2 of null");
  versionRequests[1]?.resolve("one");
  expect(await load("/shop")).toBe("page 3 of one");
});

test.each<[how: string, end: (request?: PromiseWithResolvers<string>) => void]>([
  ["succeeds", (request) => request?.resolve("earlier")],
  ["fails", (request) => request?.reject(new Error("no response"))],
])("A request for the version that %s after the next one changes nothing", async (_, end) => {
  const { clock, versionRequests, load, isCached } = open();
  const slow = load("/about");
  clock.now += 1_001;
  const fast = load("/shop");
  await settle();
  versionRequests[1]?.resolve("now");
  await fast;
  end(versionRequests[0]);
  await slow;
  expect(isCached("/shop")).toBe(true);
  expect(await load("/shop")).toBe("page 1 of now");
  expect(versionRequests).toHaveLength(2);
});
