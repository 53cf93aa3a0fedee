import module from "node:module";
import { join } from "node:path";

// Plain JavaScript on purpose: an old Node must be able to read this far to be told what is missing.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    `Node ${process.versions.node} is too old: Node 24 or newer is needed. Run "npm ci", which brings it along, and start with "npm start".`,
  );
  process.exit(1);
}
// What is compiled is kept for the next start, which is faster for it and needs no compiler of TypeScript in its memory.
module.enableCompileCache(join(import.meta.dirname, "../.cache/compiled"));
// Before anything imports React, which chooses its build by it.
process.env.NODE_ENV ??= process.argv.includes("--dev") ? "development" : "production";
await import("./main.ts");
