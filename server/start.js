import module from "node:module";
import { join } from "node:path";

// What is compiled is kept for the next start, which is faster for it and needs no compiler of TypeScript in its memory.
module.enableCompileCache(join(import.meta.dirname, "../.cache/compiled"));
// Before anything imports React, which chooses its build by it.
process.env.NODE_ENV ??= process.argv.includes("--dev") ? "development" : "production";
await import("./main.ts");
