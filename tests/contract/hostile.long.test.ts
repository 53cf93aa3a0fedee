import { readdir, readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outboxKey } from "#server/lib/outbox-key.ts";
import { jpegOfSize } from "#tests/support/jpeg.ts";
import { findMail } from "#tests/support/outbox.ts";
import { ADMIN } from "#tests/support/shop-server.ts";
import { type HostileShop, openHostileShop } from "#tests/torture/hostile/shop.ts";
import { describeHostile, memoryOf, runHostile } from "#tests/torture/hostile.ts";
import { sendRaw, toBytes } from "#tests/torture/raw-request.ts";

const SEED = 20261120;
const CASES = 400;
const MEBIBYTE = 1024 * 1024;

/* The whole shop as it runs, under hostile requests. `npm run torture -- hostile` sends more. */
describe("Hostile input", () => {
  let hostile: HostileShop;
  beforeAll(async () => {
    hostile = await openHostileShop();
  }, 240_000);
  afterAll(() => hostile?.stop());

  it(`gets a response below 500, without internal details, in ${CASES} cases`, async () => {
    const figures = await runHostile(hostile, { seed: SEED, cases: CASES });
    console.log(describeHostile(SEED, figures));
    expect(figures.broken).toEqual([]);
    expect(figures.cases).toBe(CASES);
  });

  it("gets nothing with a token that is unsigned, altered, expired or someone else's", async () => {
    const { tokens, shop, key } = hostile;
    const ask = async (token: string | undefined) => {
      const headers = { apikey: key, authorization: `Bearer ${token}` };
      return (await fetch(`${shop.url}/rest/v1/profiles?select=id`, { headers })).status;
    };
    expect(await ask(tokens.customer[0])).toBe(200);
    expect(tokens.broken.length).toBeGreaterThan(15);
    for (const token of tokens.broken)
      expect([await ask(token), token.slice(0, 60)]).toEqual([401, token.slice(0, 60)]);
  });

  it("gets no session with an old refresh token that has been used", async () => {
    const { shop, key } = hostile;
    const client = createClient(shop.url, key, { auth: { persistSession: false, autoRefreshToken: false } });
    const first = await client.auth.signInWithPassword(ADMIN);
    const spend = (token: string | undefined) =>
      fetch(`${shop.url}/auth/v1/token?grant_type=refresh_token`, {
        method: "POST",
        headers: { apikey: key, "content-type": "application/json" },
        body: JSON.stringify({ refresh_token: token }),
      });
    const oldest = first.data.session?.refresh_token;
    const second = (await (await spend(oldest)).json()) as { refresh_token: string };
    const third = (await (await spend(second.refresh_token)).json()) as { refresh_token: string };
    expect(third.refresh_token).toMatch(/\w/);
    expect((await spend(oldest)).status).toBe(400);
  });

  it("cannot fill the memory with bodies of 100 MB, stated or not", async () => {
    const { port, shop } = hostile;
    const before = await memoryOf(shop);
    const piece = Buffer.alloc(64 * 1024, 0x61);
    async function* stream(head: Buffer, chunked: boolean) {
      yield head;
      for (let sent = 0; sent < 100 * MEBIBYTE; sent += piece.length)
        yield chunked
          ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")])
          : piece;
    }
    for (const target of [
      "/rest/v1/books",
      "/auth/v1/signup",
      "/storage/v1/object/book-covers/a.jpg",
      "/shop",
    ]) {
      for (const [name, value] of [
        ["Content-Length", String(100 * MEBIBYTE)],
        ["Transfer-Encoding", "chunked"],
      ] as const) {
        const head = toBytes({
          method: "POST",
          target,
          headers: [
            ["Content-Type", "application/json"],
            [name, value],
          ],
          body: null,
        });
        const { status } = await sendRaw(port, stream(head, name === "Transfer-Encoding"));
        // Closing the connection is a response too, to a client that does not stop.
        expect([0, 400, 405, 413], `${target} ${name}`).toContain(status);
      }
    }
    expect(await memoryOf(shop)).toBeLessThan(before + 250);
    expect((await fetch(`${shop.url}/readyz`)).status).toBe(200);
  });

  it("is refused before it arrives, when it is a file that its sender may not add", async () => {
    const { port, shop, tokens, key } = hostile;
    const sendHalf = (token: string | undefined, size: [string, string]) => {
      const headers: [string, string][] = [
        ["apikey", key],
        ["Content-Type", "image/jpeg"],
        ...(token ? ([["Authorization", `Bearer ${token}`]] as [string, string][]) : []),
        size,
      ];
      const head = toBytes({
        method: "POST",
        target: "/storage/v1/object/book-covers/half.jpg",
        headers,
        body: null,
      });
      return sendRaw(port, Buffer.concat([head, Buffer.from("10000\r\nand no more")]));
    };
    const length: [string, string] = ["Content-Length", String(5 * MEBIBYTE)];
    const chunked: [string, string] = ["Transfer-Encoding", "chunked"];
    for (const token of [undefined, tokens.customer[0], ...tokens.broken])
      for (const size of [length, chunked]) {
        const { status, body } = await sendHalf(token, size);
        expect([status, JSON.parse(body).statusCode, token], size[0]).toEqual([400, "403", token]);
      }
    // An admin's is taken.
    const name = `whole-${Date.now()}.jpg`;
    const whole = { method: "POST", target: `/storage/v1/object/book-covers/${name}` };
    const headers: [string, string][] = [
      ["apikey", key],
      ["Content-Type", "image/jpeg"],
      ["Authorization", `Bearer ${tokens.admin[0]}`],
    ];
    const { status } = await sendRaw(port, toBytes({ ...whole, headers, body: jpegOfSize(4 * MEBIBYTE) }));
    expect(status).toBe(200);
    const kept = await fetch(`${shop.url}/storage/v1/object/public/book-covers/${name}`);
    expect((await kept.arrayBuffer()).byteLength).toBe(4 * MEBIBYTE);
  });

  it("keeps no one waiting by sending slowly", async () => {
    const { port, shop } = hostile;
    const slow: Socket[] = Array.from({ length: 200 }, (_, n) => {
      const socket = connect(port, "127.0.0.1")
        .on("error", () => {})
        .resume();
      const path = n % 2 ? "/shop" : "/rest/v1/books";
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${n % 3 ? "Content-Length: 1000\r\n\r\n{" : "X-Slow: "}`,
      );
      return socket;
    });
    try {
      for (const path of ["/healthz", "/shop", "/rest/v1/books?limit=1"]) {
        const answer = await fetch(shop.url + path, { headers: { apikey: hostile.key } });
        expect([path, answer.status]).toEqual([path, 200]);
      }
      // They have not waited until a request whose head never ends was cut off.
      expect(slow.filter((socket, n) => n % 3 === 0 && socket.destroyed)).toHaveLength(0);
    } finally {
      for (const socket of slow) socket.destroy();
    }
  });

  it("shows markup and direction-changing characters as text: in pages, their data and emails", async () => {
    const { shop, key } = hostile;
    const client = createClient(shop.url, key, { auth: { persistSession: false } });
    await client.auth.signInWithPassword(ADMIN);
    const title =
      'Zebra </script><script>alert("title")</script> \u2028\u202e&quot;<img src=x onerror=alert(1)>';
    const { error } = await client
      .from("books")
      .insert({ title, price: 1, publisher: title, subject: title, description: title });
    expect(error).toBeNull();
    for (const path of [
      "/shop?q=zebra",
      "/search?q=zebra",
      "/search?q=zebra&tab=subjects",
      `/shop?q=${encodeURIComponent(title)}`,
      `/shop?publisher=${encodeURIComponent(title)}`,
    ]) {
      const html = await (await fetch(shop.url + path)).text();
      expect(html, path).toContain("Zebra &lt;/script&gt;");
      expect(html, path).not.toContain('<script>alert("title")');
      expect(html, path).not.toContain("<img src=x");
      const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
        ([, code]) => code ?? "",
      );
      expect(inline.length).toBeGreaterThan(1);
      expect(inline.filter((code) => /alert\("title"\)<\/|<img src=x/.test(code))).toEqual([]);
    }
    const email = "markup@school.example";
    await createClient(shop.url, key, { auth: { persistSession: false } }).auth.signUp({
      email,
      password: "a long password",
      options: {
        data: { full_name: title, phone: title },
        emailRedirectTo: `${shop.url}/shop?x="><script>alert(1)</script>`,
      },
    });
    const mail = await findMail(shop.dataDir, email);
    expect(mail.links.length).toBeGreaterThan(0);
    expect(mail.text).not.toMatch(/<script|<img src=x/);
    const outbox = await (await fetch(`${shop.url}/outbox?key=${await outboxKey(shop.dataDir)}`)).text();
    expect(outbox).toContain(email);
    expect(outbox).not.toMatch(/<script|<img src=x/);
  });

  it("leads no one away from the shop: URLs of other sites are not followed after an email or by a path", async () => {
    const { shop } = hostile;
    const away = [
      "https://evil.example/",
      "//evil.example",
      "javascript:alert(1)",
      "http://localhost.evil.example/",
      `${shop.url}@evil.example/`,
      `${shop.url}.evil.example`,
      "/\\evil.example",
    ];
    for (const target of away) {
      const link = `${shop.url}/auth/v1/verify?token=none&type=signup&redirect_to=${encodeURIComponent(target)}`;
      const answer = await fetch(link, { redirect: "manual" });
      const location = answer.headers.get("location");
      if (location) expect([target, new URL(location, shop.url).origin]).toEqual([target, shop.url]);
      else expect(answer.status).toBeGreaterThanOrEqual(400);
    }
    for (const path of [
      "//evil.example/",
      "//evil.example/shop/",
      "/\\evil.example",
      "/%5cevil.example",
      "/shop//evil.example",
    ]) {
      const answer = await sendRaw(
        hostile.port,
        toBytes({ method: "GET", target: path, headers: [], body: null }),
      );
      expect([path, /^location: /im.test(answer.head)]).toEqual([path, false]);
    }
  });

  it("finds no secret in what browsers download", async () => {
    const folder = join(import.meta.dirname, "../../build/client");
    const files = (await readdir(folder, { recursive: true })).filter((name) =>
      /\.(js|css|html|json|map|webmanifest)$/.test(name),
    );
    expect(files.length).toBeGreaterThan(20);
    const secrets = [...hostile.secrets, "SUPABASE_SECRET_KEY", "jwtSecret"];
    const telling: string[] = [];
    for (const name of files) {
      const content = await readFile(join(folder, name), "utf8");
      for (const secret of secrets)
        if (content.includes(secret)) telling.push(`${name}: ${secret.slice(0, 12)}`);
      // The client's library names the beginning of such keys, to refuse them.
      if (/sb_secret_\w{8}/.test(content)) telling.push(`${name}: a secret key`);
    }
    expect(telling).toEqual([]);
  });
});
