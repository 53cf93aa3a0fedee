import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSecrets } from "#server/lib/secrets.ts";
import { addFileTitle, pdfOf } from "#tests/support/digital-client.ts";
import { eventually } from "#tests/support/eventually.ts";
import {
  addBook,
  type Client,
  dataOf,
  delivery,
  fillCart,
  type Member,
  stockOf,
} from "#tests/support/factories.ts";
import { jpegOf } from "#tests/support/jpeg.ts";
import { type Machines, openMachines } from "#tests/support/machines.ts";
import { newDatabase } from "#tests/support/owners-postgres.ts";
import { START_MS } from "#tests/support/shop-server.ts";

/* Three machines on one PostgreSQL; no two requests in a row go to the same one (docs/scaling.md). */

let database: Awaited<ReturnType<typeof newDatabase>>;
let shop: Machines;
let admin: Client;
beforeAll(async () => {
  database = await newDatabase();
  shop = await openMachines(3, database.url);
  admin = await shop.signInAdmin();
}, 2 * START_MS);
afterAll(async () => {
  await shop?.stop();
  await database?.drop();
});

/** How soon another machine has to do what a dead one did. */
const TAKEOVER_MS = 30_000;

async function order({ id: user_id, client }: Member, total_amount: number): Promise<string> {
  const id = randomUUID();
  const row = { id, user_id, total_amount, status: "pending", ...delivery };
  // With the same id until the shop responds, as the checkout does: a machine may have died with the request.
  for (let tries = 0; tries < 20; tries += 1) {
    const { error, status } = await client.from("orders").insert(row);
    if (status === 0 || status >= 500) continue;
    if (error && error.code !== "23505") throw new Error(error.message);
    return id;
  }
  throw new Error("The shop does not take the order");
}

const mailsAbout = (email: string) =>
  shop
    .mails()
    .filter(({ to }) => to.includes(email))
    .map(({ subject }) => subject);

test("Machines that start together on an empty database make it once, and have the same keys", async () => {
  const keys = await Promise.all(shop.machines.map(({ dataDir }) => readSecrets(dataDir)));
  expect(new Set(keys.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(await shop.sql`select count(*)::int as admins from public.user_roles where role = 'admin'`).toEqual([
    { admins: 1 },
  ]);
  const [{ machines } = { machines: 0 }] = await shop.sql`
    select count(*)::int as machines from private_shop.machines where alive_until > clock_timestamp()`;
  expect(machines).toBe(3);
});

test.each(["anon", "authenticated", "service_role"])(
  "The role %s of requests can't read the keys, the covers' table or the leases",
  async (role) => {
    for (const table of ["keys", "files", "leases", "machines"])
      await expect(
        shop.sql.begin((transaction) =>
          transaction.unsafe(`set local role ${role}; select from private_shop.${table}`),
        ),
      ).rejects.toMatchObject({ code: "42501" });
  },
);

test("A customer gets from signing up to the order's email, each email once, whichever machine responds", async () => {
  const book = await addBook(admin, { price: 25, stock_quantity: 10 });
  const member = await shop.signUp("ama@example.com", "203.0.113.1");
  await fillCart(member.client, book.id);
  const id = await order(member, 25);
  const own = await dataOf(member.client.from("orders").select("id"));
  expect(own).toEqual([{ id }]);
  expect(await stockOf(admin, book.id)).toBe(9);
  await eventually(() => expect(mailsAbout("ama@example.com")).toHaveLength(2), { timeout: 30_000 });
  for (const path of ["/", "/shop", `/books/${book.id}`])
    for (const { url } of shop.machines) expect((await fetch(url + path)).status).toBe(200);
});

test("A cover that is uploaded to one machine is served by every one, and by none once it is deleted", async () => {
  const covers = admin.storage.from("book-covers");
  const picture = jpegOf("a cover");
  const { error } = await covers.upload("here.jpg", new Blob([picture], { type: "image/jpeg" }));
  expect(error).toBeNull();
  const look = () =>
    Promise.all(
      shop.machines.map(async ({ url }) => {
        const answer = await fetch(`${url}/storage/v1/object/public/book-covers/here.jpg`);
        return answer.ok ? Buffer.from(await answer.arrayBuffer()).equals(picture) : answer.status;
      }),
    );
  expect(await look()).toEqual([true, true, true]);
  await covers.remove(["here.jpg"]);
  expect(await look()).toEqual([400, 400, 400]);
});

test("A small cover that one machine has made is served by every one, and deleted with its cover", async () => {
  const photo = await sharp({ create: { width: 600, height: 800, channels: 3, background: "#a03020" } })
    .jpeg()
    .toBuffer();
  const covers = admin.storage.from("book-covers");
  const blob = new Blob([new Uint8Array(photo)], { type: "image/jpeg" });
  expect((await covers.upload("small.jpg", blob)).error).toBeNull();
  const countFiles = async () =>
    (await shop.sql`select count(*)::int as files from private_shop.files`)[0]?.files as number;
  const before = await countFiles();
  const statuses: number[] = [];
  for (const { url } of shop.machines) {
    const response = await fetch(`${url}/covers/small.jpg/300.webp`);
    statuses.push(response.status);
    expect((await sharp(await response.bytes()).metadata()).width).toBe(300);
    expect(await countFiles()).toBe(before + 1);
  }
  expect(statuses).toEqual([200, 200, 200]);
  await covers.remove(["small.jpg"]);
  expect(await countFiles()).toBe(before - 1);
  for (const { url } of shop.machines)
    expect((await fetch(`${url}/covers/small.jpg/300.webp`)).status).toBe(404);
});

test("A digital title's file is uploaded and downloaded whole through several machines, and ends on every one", async () => {
  const pdf = pdfOf(2 * 4_194_304 + 1_234);
  const title = await addFileTitle(admin, pdf, "Reader.pdf", { price: 0 });
  const [file] = await shop.sql`select id from private.digital_files where book_id = ${title.id}`;
  const member = await shop.signUp("efua@example.com", "203.0.113.3");
  await fillCart(member.client, title.id);
  const id = randomUUID();
  const row = { id, user_id: member.id, total_amount: 0, status: "pending", delivery_method: "download" };
  expect((await member.client.from("orders").insert(row)).error).toBeNull();
  const { data } = await member.client.rpc("start_download", { _order_id: id, _file_id: file?.id });
  const path = `/downloads/${(data as { token: string }).token}`;
  for (const { url } of shop.machines) {
    const response = await fetch(url + path);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(pdf)).toBe(true);
  }
  // Resumed on another machine.
  const [one, other] = shop.machines.map(({ url }) => url + path);
  const half = async (url: string | undefined, range: string) =>
    Buffer.from(await (await fetch(url ?? "", { headers: { range } })).arrayBuffer());
  const parts = [await half(one, "bytes=0-4999999"), await half(other, "bytes=5000000-")];
  expect(Buffer.concat(parts).equals(pdf)).toBe(true);
  await shop.sql`update public.orders set status = 'cancelled' where id = ${id}`;
  for (const { url } of shop.machines) expect((await fetch(url + path)).status).toBe(410);
});

test("Wrong passwords are counted in total", async () => {
  const attempts: (number | undefined)[] = [];
  for (let n = 0; n < 11; n += 1) {
    const { error } = await shop
      .clientOf("203.0.113.9")
      .auth.signInWithPassword({ email: "guessed@example.com", password: "wrong" });
    attempts.push(error?.status);
  }
  expect(attempts).toEqual([...Array(10).fill(400), 429]);
});

test("When the machine that sends the emails dies, another one takes over within 30 s, sends what is waiting, and sends nothing twice", async () => {
  const book = await addBook(admin, { price: 30, stock_quantity: 10 });
  const member = await shop.signUp("esi@example.com", "203.0.113.2");
  await fillCart(member.client, book.id);
  const leader = await shop.leader();
  await shop.kill(leader);
  const killedAt = performance.now();
  await order(member, 30);
  expect(mailsAbout("esi@example.com")).toHaveLength(1);
  await eventually(() => expect(mailsAbout("esi@example.com")).toHaveLength(2), {
    timeout: TAKEOVER_MS,
    interval: 100,
  });
  const ms = performance.now() - killedAt;
  console.log(
    `The machine that led was killed; the next one had sent the waiting email after ${Math.round(ms)} ms`,
  );
  expect(ms).toBeLessThan(TAKEOVER_MS);
  expect(await shop.leader()).not.toBe(leader);
  const subjects = shop.mails().map(({ to, subject }) => `${to} ${subject}`);
  expect(subjects).toEqual([...new Set(subjects)]);
});
