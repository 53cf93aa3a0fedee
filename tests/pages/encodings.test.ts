import { expect, test } from "vitest";
import { demoShop } from "#tests/support/demo-shop.ts";

/** A cached page, a file that is stored compressed, and a response of the data API. */
const addresses = ["/shop", "/favicon.svg", "/rest/v1/books?select=title,description&limit=40"];

const cases = addresses.flatMap((address) =>
  (
    [
      ["br;q=0, gzip", ["gzip"]],
      ["gzip;q=0, br;q=0", [null]],
      ["identity;q=1, *;q=0", [null]],
      ["br, gzip", ["br", "gzip"]],
    ] as const
  ).map(([accepted, allowed]) => ({ address, accepted, allowed })),
);

test.each(cases)("$address never arrives in an encoding that '$accepted' excludes", async (each) => {
  const { url } = demoShop();
  const key = /name="backend-key" content="([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? "";
  const headers = { "Accept-Encoding": each.accepted, apikey: key };
  const { status, headers: sent } = await fetch(url + each.address, { headers });
  expect(status).toBe(200);
  expect(each.allowed).toContain(sent.get("Content-Encoding"));
});
