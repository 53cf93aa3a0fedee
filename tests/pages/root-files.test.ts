import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { demoShop } from "#tests/support/demo-shop.ts";

const files = readdirSync("public", { withFileTypes: true }).filter((entry) => entry.isFile());

test.each(files.map(({ name }) => `/${name}`))(
  "sends %s, which browsers may store for a day",
  async (path) => {
    const { status, headers } = await fetch(demoShop().url + path);
    expect([status, headers.get("Cache-Control")]).toEqual([200, "public, max-age=86400"]);
  },
);

test("gives a file's compressed form no address of its own", async () => {
  expect((await fetch(`${demoShop().url}/favicon.svg.gz`)).status).toBe(404);
});
