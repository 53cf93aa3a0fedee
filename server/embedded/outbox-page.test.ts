import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPost } from "../mail.ts";
import { outboxPage } from "./outbox-page.ts";

async function newOutbox() {
  const dataDir = await mkdtemp(join(tmpdir(), "adwene-outbox-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { dataDir, smtpUrl: null, hosted: null };
  const post = openPost({ ...settings, mailFrom: "shop@shop.example" }, () => {});
  const ask = (headers: Record<string, string> = {}, peer = "127.0.0.1", changed = {}) => {
    const request = new Request("http://localhost:3000/outbox", {
      headers: { host: "localhost:3000", ...headers },
    });
    return outboxPage(request, peer, { ...settings, ...changed });
  };
  return { post, ask };
}

const link = "http://localhost:3000/auth/v1/verify?token=abc&type=signup&redirect_to=http%3A%2F%2Flocalhost";

test("The page shows the mails, the newest first, with links that work", async () => {
  const { post, ask } = await newOutbox();
  const text = `Akwaaba <b>Ama</b>, GH₵45.00\n\n${link}\n`;
  await post.send({ to: "ama@example.com", subject: "First – one", text, html: "<p>Hello</p>" });
  await post.send({ to: "kofi@example.com", subject: "Second", text: "Hello", html: "<p>Hello</p>" });
  const page = await (await ask())?.text();
  expect(page?.indexOf("Second")).toBeLessThan(page?.indexOf("First – one") ?? 0);
  expect(page).toContain(`<a href="${link.replaceAll("&", "&amp;")}">`);
  expect(page).toContain("Akwaaba &lt;b&gt;Ama&lt;/b&gt;, GH₵45.00");
});

test("An empty outbox says so", async () => {
  const { ask } = await newOutbox();
  expect(await (await ask())?.text()).toContain("No mails yet.");
});

test.each([
  ["another machine", {}, "203.0.113.9"],
  ["another name for this machine", { host: "shop.example" }, "127.0.0.1"],
  ["a proxy", { "x-forwarded-for": "203.0.113.9" }, "127.0.0.1"],
  ["a proxy of another kind", { forwarded: "for=203.0.113.9" }, "127.0.0.1"],
])("Asked through %s there is no such page", async (_, headers, peer) => {
  const { ask } = await newOutbox();
  expect(await ask(headers, peer)).toBeNull();
});

test("With a mail server, or a hosted project, there is no such page", async () => {
  const { ask } = await newOutbox();
  expect(await ask({}, "127.0.0.1", { smtpUrl: "smtp://mail.example" })).toBeNull();
  expect(
    await ask({}, "127.0.0.1", { hosted: { url: "https://p.example", publishableKey: "k" } }),
  ).toBeNull();
});
