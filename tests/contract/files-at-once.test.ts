import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";
import { tidyFiles } from "#server/shop/housekeeping.ts";
import { contentOf, jpegOf } from "#tests/support/jpeg.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

/* A disk that is full, or a rule that is checked last: the upload fails when its file is written already. */
const lastMoment = `
  create function public.refuse() returns trigger language plpgsql as $$
  begin
    if new.metadata ->> 'size' = '${jpegOf("thirteen byte").length}' then raise exception 'refused'; end if;
    return null;
  end $$;
  create constraint trigger refuse after insert or update on storage.objects deferrable initially deferred
    for each row execute function public.refuse();`;

let api: OwnApi;
let admin = "";
beforeAll(async () => {
  api = await openOwnApi(lastMoment);
  admin = await api.newPerson("admin");
});
afterAll(() => api?.close());

const address = (name: string) => `/storage/v1/object/book-covers/${name}`;
const upload = (name: string, content: string) =>
  api.ask(address(name), {
    method: "POST",
    as: admin,
    body: jpegOf(content),
    headers: { "content-type": "image/jpeg", "x-upsert": "true" },
  });
const look = (name: string) => api.ask(`/storage/v1/object/public/book-covers/${name}`);
const textOf = async (answer: Response) => contentOf(new Uint8Array(await answer.arrayBuffer()));
const files = () => readdir(join(api.dataDir, "objects"));

test("A file that is deleted and uploaded at the same instant is either deleted or complete", {
  tags: "long",
}, async () => {
  expect((await upload("a.jpg", "before")).status).toBe(200);
  const seen = new Set<string>();
  for (let round = 0; round < 40; round += 1) {
    const [stored] = await Promise.all([
      upload("a.jpg", `round ${round}`),
      api.ask(address("a.jpg"), { method: "DELETE", as: admin }),
    ]);
    expect(stored.status).toBe(200);
    const rows = await api.sql.query("select from storage.objects where name = 'a.jpg'");
    const answer = await look("a.jpg");
    const outcome = rows.length === 0 ? "gone" : "there";
    seen.add(outcome);
    if (outcome === "there") expect([answer.status, await textOf(answer)]).toEqual([200, `round ${round}`]);
    else expect(answer.status).toBe(400);
  }
  expect([...seen]).toContain("there");
});

test("An upload that fails at the last moment leaves the file unchanged", async () => {
  await upload("c.jpg", "as it was");
  expect((await upload("c.jpg", "thirteen byte")).status).toBe(400);
  expect(await textOf(await look("c.jpg"))).toBe("as it was");
  await api.ask(address("c.jpg"), { method: "DELETE", as: admin });
});

test("Replacing a file leaves only the new one on the disk, and readers find one or the other", async () => {
  await api.ask(address("a.jpg"), { method: "DELETE", as: admin });
  await upload("b.jpg", "version 0");
  const others = (await files()).length - 1;
  for (let version = 1; version <= 20; version += 1) {
    const [, answer] = await Promise.all([upload("b.jpg", `version ${version}`), look("b.jpg")]);
    expect([`version ${version}`, `version ${version - 1}`]).toContain(await textOf(answer));
  }
  const put = { method: "PUT", as: admin, body: jpegOf("last"), headers: { "content-type": "image/jpeg" } };
  expect((await api.ask(address("b.jpg"), put)).status).toBe(200);
  expect(await textOf(await look("b.jpg"))).toBe("last");
  expect((await files()).length).toBe(others + 1);
  await api.ask(address("b.jpg"), { method: "DELETE", as: admin });
  expect((await files()).length).toBe(others);
});

test("The file of an upload whose commit failed is deleted a day later, and nothing else", async () => {
  const folder = join(api.dataDir, "objects");
  const makeOld = async () => {
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1_000);
    for (const name of await files()) await utimes(join(folder, name), yesterday, yesterday);
  };
  const tidy = () => tidyFiles(api.sql, new ObjectFiles(folder));
  const countObjects = async () => (await api.sql.query("select from storage.objects")).length;
  expect((await upload("kept.jpg", "kept")).status).toBe(200);
  expect((await upload("old.jpg", "thirteen byte")).status).toBe(400);
  await makeOld();
  expect((await upload("new.jpg", "thirteen byte")).status).toBe(400);
  expect((await files()).length).toBeGreaterThan((await countObjects()) + 1);
  await tidy();
  const left = await files();
  expect(left.length).toBe((await countObjects()) + 1);
  expect(await textOf(await look("kept.jpg"))).toBe("kept");

  // A database that names none of the files is another folder's.
  await makeOld();
  await api.sql.query("delete from storage.objects");
  await tidy();
  expect(await files()).toEqual(left);
});
