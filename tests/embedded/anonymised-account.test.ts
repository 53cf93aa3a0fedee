import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLimits } from "#server/embedded/accounts/limits.ts";
import { anonymiseAccount } from "#server/embedded/anonymise.ts";
import { outboxFolder, queueFolder } from "#server/embedded/email-transport.ts";
import { openOwnApi } from "#tests/support/own-api.ts";

const jwtSecret = "a secret";

async function newShop() {
  const api = await openOwnApi();
  const dataDir = await mkdtemp(join(tmpdir(), "anonymise-"));
  onTestFinished(async () => {
    await api.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { api, dataDir };
}

test("A forgotten person's account holds nothing of them and is closed for good", async () => {
  const { api, dataDir } = await newShop();
  const [id, other] = [await api.newPerson(), await api.newPerson()];
  for (const person of [id, other])
    await api.sql.query(
      `update auth.users set encrypted_password = 'hash', phone = '+233' || $2, email_change = $2 || '@example.com',
         confirmation_token = $2, recovery_token = $2, raw_user_meta_data = '{"full_name": "Ama"}' where id = $1::text::uuid`,
      [person, person.slice(0, 8)],
    );
  await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id);
  const read = (person: string) =>
    api.sql.query(
      `select email, phone, encrypted_password as hash, email_change, confirmation_token, recovery_token,
              raw_user_meta_data as names, banned_until > now() + interval '100 years' as closed
         from auth.users where id = $1::text::uuid`,
      [person],
    );
  expect(await read(id)).toEqual([
    {
      email: null,
      phone: null,
      hash: null,
      email_change: null,
      confirmation_token: null,
      recovery_token: null,
      names: {},
      closed: true,
    },
  ]);
  expect(await read(other)).toMatchObject([{ email: `${other}@example.com`, hash: "hash", closed: null }]);
});

test("Their waiting emails are deleted, whatever the capitals, and no one else's with a similar address", async () => {
  const { api, dataDir } = await newShop();
  const id = await api.newPerson();
  await api.sql.query("update auth.users set email = 'ann@example.com' where id = $1::text::uuid", [id]);
  for (const folder of [outboxFolder(dataDir), queueFolder(dataDir)]) await mkdir(folder);
  const recipients = ["ann@example.com", "Ann@Example.com", "joann@example.com"];
  for (const [at, to] of recipients.entries()) {
    await writeFile(join(outboxFolder(dataDir), `${at}.eml`), `To: ${to}\r\nSubject: Hello\r\n\r\nHello`);
    await writeFile(join(queueFolder(dataDir), `${at}.json`), JSON.stringify({ to, raw: "" }));
  }
  await writeFile(join(queueFolder(dataDir), "damaged.json"), "{");
  expect(await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id)).toEqual({ orders: 0, mails: 4 });
  expect(await readdir(outboxFolder(dataDir))).toEqual(["2.eml"]);
  expect((await readdir(queueFolder(dataDir))).sort()).toEqual(["2.json", "damaged.json"]);
});

test("The password of a sign-up with their address is deleted, and no one else's", async () => {
  const { api, dataDir } = await newShop();
  const id = await api.newPerson();
  const { hash } = createLimits(api.sql, jwtSecret, Date.now);
  for (const address of [`${id}@example.com`, "other@example.com"])
    await api.sql.query("insert into private_shop.sign_ups values ($1, 'hash', now())", [hash(address)]);
  await anonymiseAccount(api.sql, { dataDir, jwtSecret }, id);
  expect(await api.sql.query("select address from private_shop.sign_ups")).toEqual([
    { address: hash("other@example.com") },
  ]);
});
