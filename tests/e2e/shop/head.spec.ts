import { expect, test } from "#tests/support/test.ts";

test("the head of a page loads scripts after what is needed to see the page", { tag: "@gate" }, async ({
  page,
  context,
}) => {
  const priorities = new Map<string, string>();
  const network = await context.newCDPSession(page);
  network.on("Network.requestWillBeSent", ({ request }) =>
    priorities.set(request.url, request.initialPriority),
  );
  await network.send("Network.enable");
  await page.goto("/shop");
  const of = (ending: string) =>
    [...priorities].filter(([address]) => address.endsWith(ending)).map(([, priority]) => priority);
  expect(new Set(of(".css"))).toEqual(new Set(["VeryHigh"]));
  expect(of(".js").length).toBeGreaterThan(5);
  expect(new Set(of(".js"))).toEqual(new Set(["Low"]));
});
