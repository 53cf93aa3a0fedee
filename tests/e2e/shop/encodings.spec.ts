import { expect, test } from "#tests/support/test.ts";

/** A page that is kept, a file that lies there compressed, and an answer of the data API. */
const addresses = ["/shop", "/favicon.svg", "/rest/v1/books?select=title,description&limit=40"];

for (const address of addresses)
  for (const [accepted, allowed] of [
    ["br;q=0, gzip", ["gzip"]],
    ["gzip;q=0, br;q=0", [null]],
    ["identity;q=1, *;q=0", [null]],
    ["br, gzip", ["br", "gzip"]],
  ] as const)
    test(`${address} never arrives in an encoding that '${accepted}' excludes`, async ({ shop }) => {
      const key =
        /name="backend-key" content="([^"]+)"/.exec(await (await fetch(shop.url)).text())?.[1] ?? "";
      const headers = { "Accept-Encoding": accepted, apikey: key };
      const { status, headers: sent } = await fetch(shop.url + address, { headers });
      expect(status).toBe(200);
      expect(allowed).toContain(sent.get("Content-Encoding"));
    });
