import { join } from "node:path";
import { expect, test } from "vitest";
import { ownShell } from "./stop-with-shell.js";

const root = join(import.meta.dirname, "..");
const npm = {
  npm_lifecycle_event: "start",
  npm_lifecycle_script: "node scripts/launch.js server/start.js",
  npm_package_json: join(root, "package.json"),
};

test.each([
  ["npm start", npm],
  [
    "npm run dev with an argument",
    { ...npm, npm_lifecycle_script: 'node scripts/launch.js server/start.js --dev "--port"' },
  ],
])("ends with the shell in which npm runs this command alone: %s", (_, env) => {
  expect(ownShell(env, "linux")).toBe(true);
  // There a process keeps the number of a parent that has ended.
  expect(ownShell(env, "win32")).toBe(false);
});

test.each([
  ["no npm", {}],
  [
    "an owner's script that starts it in the background",
    { npm_lifecycle_script: "node scripts/launch.js server/start.js & sleep 1; echo started" },
  ],
  ["a script of several lines", { npm_lifecycle_script: "node scripts/launch.js server/start.js\nsleep 1" }],
  ["a shell that a script opens", { npm_lifecycle_script: "bash" }],
  ["another program's script", { npm_lifecycle_script: "node server.js" }],
  ["another project's script", { npm_package_json: join(root, "..", "package.json") }],
  ["a package.json that is gone", { npm_package_json: "/no/such/package.json" }],
])("does not end with the shell that has started it: %s", (name, changes) => {
  expect(ownShell(name === "no npm" ? {} : { ...npm, ...changes }, "linux")).toBe(false);
});
