import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

const forbiddenImports: [file: string, imported: string][] = [
  ["app/components/one.ts", "#app/features/books/book.ts"],
  ["app/components/two.ts", "#app/routes/shop/shop.tsx"],
  ["app/features/books/three.ts", "#app/routes/shop/shop.tsx"],
  ["app/features/books/four.ts", "../cart/cart.ts"],
  ["app/lib/six.ts", "#app/components/button.tsx"],
  ["app/features/books/seven.ts", "#server/lib/settings.ts"],
  ["server/eight.ts", "#app/features/books/book.ts"],
  ["app/features/books/nine.ts", "#app/office/frame/duties.tsx"],
  ["app/components/ten.ts", "#app/office/components/panel.tsx"],
  ["app/lib/eleven.ts", "#app/office/frame/paging.ts"],
  ["app/office/components/twelve.ts", "#app/features/books/book.ts"],
  ["app/office/components/thirteen.ts", "#app/office/frame/duties.tsx"],
  ["app/office/sales/fourteen.ts", "#app/routes/admin/orders.tsx"],
  ["app/office/sales/fifteen.ts", "../frame/duties.tsx"],
  ["server/sixteen.ts", "#app/office/frame/duties.tsx"],
  ["server/seventeen.ts", "#app/lib/browser/env.ts"],
  ["scripts/eighteen.ts", "#app/features/books/book.ts"],
  ["shared/orders/nineteen.ts", "#app/lib/browser/env.ts"],
  ["shared/orders/twenty.ts", "#server/lib/settings.ts"],
  ["shared/orders/twenty-one.ts", "../text/money.ts"],
];

const allowed = "app/features/catalogue/allowed.ts";
const allowedShared = "shared/orders/allowed.ts";
const allowedOffice = "app/office/sales/allowed.ts";
const planted: Record<string, string> = {
  [allowed]:
    'import { publisherName } from "#app/features/books/book.ts";\nimport { Button } from "#app/components/button.tsx";\nexport const used = [publisherName, Button];\n',
  [allowedOffice]:
    'import { book } from "#app/features/books/book.ts";\nimport { cover } from "#app/office/catalogue/cover.ts";\nexport const used = [book, cover];\n',
  [allowedShared]: 'import { formatCedis } from "#shared/text/money.ts";\nexport const used = formatCedis;\n',
  "app/lib/circle-one.ts": 'import { two } from "./circle-two.ts";\nexport const one = () => two;\n',
  "app/lib/circle-two.ts": 'import { one } from "./circle-one.ts";\nexport const two = () => one;\n',
  "app/lib/CamelName.ts": "export const used = 1;\n",
  "app/lib/default-export.ts": "export default 1;\n",
};
for (const [file, imported] of forbiddenImports)
  planted[file] = `import * as planted from "${imported}";\nexport const used = planted;\n`;

let folder: string;
/** What the linter, set up as for the product, says about the planted files: "rule path" each. */
let verdicts: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "adwene-lint-"));
  for (const name of ["biome.json", ".gitignore"]) copyFileSync(join(root, name), join(folder, name));
  for (const [file, source] of Object.entries(planted)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), source);
  }
  const biome = join(root, "node_modules/.bin/biome");
  const { stdout } = spawnSync(biome, ["lint", "--reporter=github", "--max-diagnostics=none"], {
    cwd: folder,
    encoding: "utf8",
  });
  const diagnostics = stdout.matchAll(/title=lint\/\w+\/(\w+),file=([^,]+),/g);
  verdicts = [...diagnostics].map(
    ([, rule, file]) => `${rule} ${relative(realpathSync(folder), file ?? "")}`,
  );
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the linter checks the house rules", () => {
  it.each(forbiddenImports)("refuses that %s imports %s", (file) => {
    expect(verdicts).toContain(`noRestrictedImports ${file}`);
  });

  it("lets a feature import another, and components", () => {
    expect(verdicts).not.toContain(`noRestrictedImports ${allowed}`);
  });

  it("lets the office import features, and its own rooms", () => {
    expect(verdicts).not.toContain(`noRestrictedImports ${allowedOffice}`);
  });

  it("lets shared import its other rooms", () => {
    expect(verdicts).not.toContain(`noRestrictedImports ${allowedShared}`);
  });

  it("refuses files that import each other in a circle", () => {
    expect(verdicts).toContain("noImportCycles app/lib/circle-one.ts");
    expect(verdicts).toContain("noImportCycles app/lib/circle-two.ts");
  });

  it("refuses file names that are not kebab-case", () => {
    expect(verdicts).toContain("useFilenamingConvention app/lib/CamelName.ts");
  });

  it("refuses default exports outside of routes", () => {
    expect(verdicts).toContain("noDefaultExport app/lib/default-export.ts");
  });
});
