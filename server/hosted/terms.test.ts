import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listTermsNotices } from "./terms.ts";

/** A project whose newest version of the terms is this. */
async function startProject(answer: string, status = 200) {
  const server = createServer((request, response) => {
    const isVersion = /^\/rest\/v1\/terms_versions\?select=.*&order=version\.desc&limit=1$/.test(
      request.url ?? "",
    );
    response.writeHead(isVersion ? status : 404).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, publishableKey: "sb_publishable_key" };
}

const version = (settings: object | null, terms = "{payment}", delivery_and_returns = "") =>
  JSON.stringify([{ terms, delivery_and_returns, settings }]);

const can = [
  `Customers can pay online, but the stored terms don't say so: run "npm run migrate" with the same PAYSTACK_SECRET_KEY as here`,
];
const cannot = [
  `Customers cannot pay online, but the stored terms don't say so: run "npm run migrate" with an empty PAYSTACK_SECRET_KEY`,
];

test.each([
  ["says the same", version({ paysOnline: true }), [], cannot],
  ["says that they cannot", version({ paysOnline: false }), can, []],
  ["does not know", version({}), can, cannot],
  ["is older than what it shows", version(null), can, cannot],
  ["names Paystack in the delivery page alone", version({}, "", "{paystack}"), can, cannot],
  ["says nothing about paying", version({}, "{name}"), [], []],
  ["is not there yet", "[]", [], []],
])(
  "tells the owner when the kept terms differ from whether customers pay online: a version that %s",
  async (_, answer, online, offline) => {
    const project = await startProject(answer);
    expect(await listTermsNotices(project, true)).toEqual(online);
    expect(await listTermsNotices(project, false)).toEqual(offline);
  },
);

test("says nothing of the terms when the project does not show them", async () => {
  expect(await listTermsNotices(await startProject("{}", 500), true)).toEqual([]);
  for (const answer of ["no JSON", "{}", "null", "[null]"])
    expect(await listTermsNotices(await startProject(answer), true)).toEqual([]);
  expect(await listTermsNotices({ url: "http://127.0.0.1:1", publishableKey: "key" }, true)).toEqual([]);
});
