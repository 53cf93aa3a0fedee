import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { type InstalledShop, makeInstalledShop } from "./installed-shop.ts";
import { fetchTools } from "./tools.ts";
import { weighPackages } from "./weight.ts";

/* What most machines have: Node 20 with npm 10, which links none of the packages that bring Node 24. */

const tools = await fetchTools(10, 20);
const problem = typeof tools === "string" ? tools : null;
sayWhatIsSkipped("installing with npm 10 under Node 20", problem);

describe.skipIf(problem)("With npm 10 under Node 20", () => {
  let shop: InstalledShop;
  let installation: { code: number | null; output: string };

  beforeAll(async () => {
    if (typeof tools === "string") return;
    shop = await makeInstalledShop(tools);
    installation = await shop.npm("ci", "--omit=dev", "--prefer-offline");
  }, 300_000);
  afterAll(() => shop?.remove());

  test("npm ci succeeds and says how many packages it added, and nothing about versions of Node", () => {
    expect(installation.code, installation.output).toBe(0);
    expect(installation.output).not.toMatch(/EBADENGINE|warn/i);
    // npm announces our postinstall script by name; nothing else is said but how many packages there are.
    const said = installation.output.split("\n").filter((line) => line && !line.startsWith("> "));
    expect(said).toEqual([expect.stringMatching(/^added \d+ packages/)]);
  });

  test("the packages without dev take less than 350 MB", () => {
    const { total, biggest } = weighPackages(join(shop.folder, "node_modules"));
    expect(total, biggest).toBeLessThan(350);
  });

  test("npm start builds the pages, opens the shop, and stops at SIGTERM", { timeout: 240_000 }, async () => {
    const started = await shop.start();
    expect(started.ready).toMatchObject({ live: true, ready: true });
    await started.stop();
    expect(started.output()).toContain("is open (version");
  });

  test("npm run passes on arguments and the exit code", async () => {
    const { code, output } = await shop.npm("run", "admin", "--", "not-an-address");
    expect(output).toContain("Usage: npm run admin");
    expect(code).toBe(1);
  });

  test("npm errors are still shown", async () => {
    const { code, output } = await shop.npm("run", "no-such-script");
    expect(output).toContain("no-such-script");
    expect(code).toBe(1);
  });
});
