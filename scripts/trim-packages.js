/*
 * Deletes unused files, because owners have slow connections and small disks: the C headers and manuals of the Node
 * in the packages, a third of its size, and files of some packages for other tools. After npm ci, or, where that ran
 * with --ignore-scripts, at the first command (launch.js). In JavaScript that old versions understand, because npm
 * may run it with any Node.
 */
import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const packages = join(dirname(self), "../node_modules");

/** Matching files of packages. */
const unused = [
  ["pdfkit", /^(\.yarn|tools)$/],
  ["pdfkit/js", /standalone|browser|\.map$/],
  ["fontkit", /^src$/],
  ["fontkit/dist", /browser|\.map$/],
  ["@tanstack/query-core", /^src$/],
  ["@tanstack/query-core/build", /^legacy$/],
  ["@tanstack/react-query", /^src$/],
  ["@tanstack/react-query/build", /^legacy$/],
  ["react-dom/cjs", /profiling|test-utils/],
  ["zxing-wasm", /^node_modules$/],
  ["zxing-wasm/dist", /^(cjs|full|iife|miniprogram|writer)$/],
];

export function trimPackages() {
  const pictures = join(packages, "@img");
  // Pictures are made with the build for this machine, if there is one.
  if (
    existsSync(pictures) &&
    readdirSync(pictures).some((name) => /^sharp-(linux|linuxmusl|darwin|win32)-/.test(name))
  )
    rmSync(join(pictures, "sharp-wasm32"), { recursive: true, force: true });
  for (const [folder, pattern] of unused)
    if (existsSync(join(packages, folder)))
      for (const name of readdirSync(join(packages, folder)).filter((name) => pattern.test(name)))
        rmSync(join(packages, folder, name), { recursive: true, force: true });
  for (const name of readdirSync(packages).filter((name) => /^node-(linux|darwin|win)-/.test(name)))
    for (const part of ["include", "share"])
      rmSync(join(packages, name, part), { recursive: true, force: true });
}

/** For every command: looks at one folder and deletes what is left. Packages of another user stay as they are. */
export function trimIfLeft(packageOfNode) {
  if (!existsSync(join(packages, packageOfNode, "include"))) return;
  try {
    trimPackages();
  } catch {
    // A failure is harmless: they only take up space.
  }
}

if (realpathSync(process.argv[1]) === self) trimPackages();
