import module from "node:module";
import { join } from "node:path";

const isDevelopment = process.argv.includes("--dev");

if (isDevelopment) {
  module.enableCompileCache(join(import.meta.dirname, "../.cache/compiled"));
  // Before anything imports React, which chooses its build by it.
  process.env.NODE_ENV ??= "development";
}
await import(isDevelopment ? "./main.ts" : "./supervisor.js");
