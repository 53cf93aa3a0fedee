import { type Browser, chromium as browserType, expect, type Page } from "@playwright/test";
import { createClient } from "@supabase/supabase-js";
import { chromium } from "#tests/support/chromium.ts";
import { newMember } from "#tests/support/factories.ts";
import { findMail } from "#tests/support/outbox.ts";
import type { Crowd, startLoad } from "./crowd.ts";
import { milliseconds, type Section } from "./report.ts";
import { asOwner } from "./running-shop.ts";

const BESIDE = 200;

type Account = { email: string; password: string };
type Step = [name: string, run: (page: Page) => Promise<unknown>];

/** From the first page to the confirmed order, as a customer with a phone sees it. */
const steps = (url: string, { email, password }: Account, text: string): Step[] => [
  ["the home page", (page) => page.goto(url)],
  [
    "a search",
    async (page) => {
      await page.goto(`${url}/shop?q=${encodeURIComponent(text)}`);
      await page.locator("#content article h2 a").first().waitFor();
    },
  ],
  [
    "a book's page",
    async (page) => {
      await page.locator("#content article h2 a").first().click();
      await page.waitForURL(/\/books\//);
    },
  ],
  [
    "signing in",
    async (page) => {
      await page.goto(`${url}/auth`);
      await expect(page.getByRole("button", { name: "Sign In" })).toBeEnabled();
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign In" }).click();
      await page.waitForURL(/\/shop/);
    },
  ],
  [
    "a book in the cart",
    async (page) => {
      await page.getByRole("button", { name: "Add to Cart" }).first().click();
      await page.getByRole("button", { name: /^Shopping cart.*1/ }).waitFor();
    },
  ],
  [
    "the checkout",
    async (page) => {
      await page.goto(`${url}/checkout`);
      await page.getByRole("button", { name: "Place Order" }).waitFor();
    },
  ],
  [
    "the confirmed order",
    async (page) => {
      await page.getByLabel("Full Name").fill("Esi Owusu");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Phone").fill("+233 20 765 4321");
      await page.getByLabel("Address", { exact: true }).fill("5 Castle Road");
      await page.getByLabel("City").fill("Cape Coast");
      await page.getByRole("button", { name: "Place Order" }).click();
      await page.waitForURL(/\/order-confirmation\//);
    },
  ],
];

/** The whole journey in a browser, alone and beside a crowd. @throws Error when a step takes 30 s, or no order is placed */
export async function measureJourney(
  { server, shop, sql }: Crowd,
  start: (size: number) => ReturnType<typeof startLoad>,
): Promise<Section> {
  const browser = await browserType.launch(chromium());
  try {
    const newAccount = async (email: string): Promise<Account> => {
      const client = createClient(shop.url, shop.key, { auth: { persistSession: false } });
      const account = {
        email,
        password: "a password for ordering",
        full_name: "Esi Owusu",
        phone: "+233207654321",
      };
      await newMember(client, account, (to) => findMail(server.dataDir, to));
      return account;
    };
    const accounts = [
      await newAccount("alone@school.example"),
      await newAccount("beside@school.example"),
    ] as const;
    const alone = await walk(browser, steps(shop.url, accounts[0], "harry potter"));
    const crowd = start(BESIDE);
    const beside = await walk(browser, steps(shop.url, accounts[1], "things fall apart")).finally(crowd.stop);
    await asOwner(sql, async (owner) => {
      for (const { email } of accounts) {
        const orders =
          await owner`select from public.orders o join auth.users u on u.id = o.user_id where u.email = ${email}`;
        if (orders.length !== 1) throw new Error(`${email} has ${orders.length} orders instead of one`);
      }
    });
    const total = (times: number[]) => times.reduce((sum, ms) => sum + ms, 0);
    return {
      title: "A customer's journey beside a crowd",
      about: `Until each step's page is ready, in Chromium on the same machine, alone and beside ${BESIDE} customers and visitors who never pause. The order is placed once.`,
      header: ["Step", "Alone", `Beside ${BESIDE}`],
      rows: [
        ...steps("", accounts[0], "").map(([name], n) => [
          name,
          ...[alone, beside].map((times) => milliseconds(times[n] ?? Number.NaN)),
        ]),
        ["all", milliseconds(total(alone)), milliseconds(total(beside))],
      ],
    };
  } finally {
    await browser.close();
  }
}

async function walk(browser: Browser, all: Step[]): Promise<number[]> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const times: number[] = [];
  for (const [name, run] of all) {
    const startedAt = performance.now();
    await run(page).catch(({ message }: Error) => {
      throw new Error(`${name}: ${message}`);
    });
    times.push(performance.now() - startedAt);
  }
  await context.close();
  return times;
}
