import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listRootFiles } from "./root-files.ts";

test("lists every file of a build that a browser may ask for by a name that stays, without its compressed forms", async () => {
  const folder = await mkdtemp(join(tmpdir(), "adwene-build-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, ".well-known"));
  await mkdir(join(folder, "assets"));
  const files = [
    "favicon.svg",
    "favicon.svg.br",
    "favicon.svg.gz",
    "sitemap.xml.gz",
    ".well-known/security.txt",
    "assets/book-1a2b.js",
  ];
  for (const file of files) await writeFile(join(folder, file), "");
  await symlink(join(folder, "favicon.svg"), join(folder, "icon.svg"));
  expect(listRootFiles(folder).toSorted()).toEqual([
    ".well-known/security.txt",
    "favicon.svg",
    "icon.svg",
    "sitemap.xml.gz",
  ]);
});

test("lists nothing of a build that isn't there", () => {
  expect(listRootFiles("/no/such/folder")).toEqual([]);
});
