import { afterAll, beforeAll, expect, test } from "vitest";
import { maxMisses } from "#server/embedded/code-guesses.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

let api: OwnApi;
beforeAll(async () => {
  api = await openOwnApi(`
    insert into public.booklists (code, school, class_name, school_year, status, is_listed)
    values ('1111111111', 'Listed School', 'Class 1', '2026/2027', 'published', true),
           ('2222222222', 'Quiet School', 'Class 1', '2026/2027', 'published', false)`);
});
afterAll(() => api?.close());

test("after many wrong codes an address is told to wait, for all but the lists that the search shows", async () => {
  const find = (code: string, ip = "198.51.100.7") =>
    api.ask("/rest/v1/rpc/find_booklist", { body: { _code: code }, ip });
  expect(await (await find("22222-22222")).json()).toMatchObject([{ school: "Quiet School" }]);
  for (let n = 0; n < maxMisses; n += 1) expect(await (await find("33333-33333")).json()).toEqual([]);
  const refused = await find("22222-22222");
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: "PT429" }]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(500);
  const customer = await api.newPerson();
  const add = await api.ask("/rest/v1/rpc/add_booklist_to_cart", {
    body: { _code: "22222-22222", _line_ids: [] },
    ip: "198.51.100.7",
    as: customer,
  });
  expect(add.status).toBe(429);
  expect(await (await find("l1111-ll111")).json()).toMatchObject([{ school: "Listed School" }]);
  expect(await (await find("22222-22222", "198.51.100.8")).json()).toMatchObject([
    { school: "Quiet School" },
  ]);
});
