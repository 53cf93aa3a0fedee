import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sayWhatIsSkipped } from "#tests/support/skipped.ts";
import { makeInstalledShop } from "./installed-shop.ts";
import { fetchTools } from "./tools.ts";

const tools = await fetchTools(10, 20);
const problem = typeof tools === "string" ? tools : null;
sayWhatIsSkipped("the fast gate in unusual folders", problem);
const isRoot = process.getuid?.() === 0;
sayWhatIsSkipped(
  "the fast gate as another user",
  isRoot ? null : "only root can run commands as another user",
);

const places = [
  {
    name: "in a hidden folder of the user's home with spaces and Ɔ in its name",
    place: { prefix: join(homedir(), ".shop Ɔ tests ") },
    isSkipped: false,
  },
  {
    name: "as an ordinary user, in a folder with spaces and Ɔ in its name",
    place: { prefix: join(tmpdir(), "shop Ɔ tests "), user: { uid: 65_534, gid: 65_534 } },
    isSkipped: !isRoot,
  },
];

for (const { name, place, isSkipped } of places)
  test.skipIf(problem || isSkipped)(
    `npm ci, npm run check and npm start work ${name}`,
    { timeout: 1_800_000 },
    async () => {
      if (typeof tools === "string") return;
      const shop = await makeInstalledShop(tools, place);
      onTestFinished(shop.remove);
      for (const words of [
        ["ci", "--prefer-offline"],
        ["run", "check"],
      ]) {
        const { code, output } = await shop.npm(...words);
        expect(code, output.slice(-5_000)).toBe(0);
      }
      const started = await shop.start();
      expect(started.ready).toMatchObject({ live: true, ready: true });
      await started.stop();
    },
  );
