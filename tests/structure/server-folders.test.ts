import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/**
 * The folders of server/, and which of the others each may import. A folder imports only those above it, so that no
 * two need each other. The files beside them are started by a command: they may import all.
 */
const folders: Record<string, string[]> = {
  lib: [],
  database: ["lib"],
  emails: ["lib", "database"],
  api: ["lib", "database", "emails"],
  hosted: ["lib", "database", "emails", "api"],
  shop: ["lib", "database", "emails", "api"],
  payments: ["lib", "api"],
  web: ["lib", "emails", "api", "payments"],
};
/** These know only what any backend is: its type. */
const typesOnly = ["hosted", "payments", "web"];
const backendTypes = ["server/api/backend.ts", "server/api/api.ts"];

const folderOf = (file: string): string | undefined => /^server\/([^/]+)\//.exec(file)?.[1];

/** Imports from one folder's code into another's that the lists above don't allow, as "file imports file". */
function crossings(file: string, source: string): string[] {
  const folder = folderOf(file);
  if (!folder) return [];
  const imports = source.matchAll(
    /(import type [^;]*?from|from|import)\s*\(?\s*"(\.{1,2}\/|#server\/)([^"]+)"/g,
  );
  return [...imports].flatMap(([, keyword = "", start = "", path = ""]) => {
    const imported = start === "#server/" ? join("server", path) : join(dirname(file), start, path);
    const other = folderOf(imported);
    if (!imported.startsWith("server/") || other === folder) return [];
    const isAllowed =
      other !== undefined &&
      folders[folder]?.includes(other) &&
      (other !== "api" ||
        !typesOnly.includes(folder) ||
        (keyword.startsWith("import type") && backendTypes.includes(imported)));
    return isAllowed ? [] : [`${file} imports ${imported}`];
  });
}

describe("the server's folders", () => {
  it("import each other in one direction only", () => {
    const files = globSync("server/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
    const found = new Set(files.flatMap((file) => folderOf(file) ?? []));
    expect([...found].sort()).toEqual(Object.keys(folders).sort());
    expect(files.flatMap((file) => crossings(file, readFileSync(join(root, file), "utf8")))).toEqual([]);
    const names = Object.keys(folders);
    for (const [name, others] of Object.entries(folders))
      for (const other of others)
        expect(names.indexOf(other), `${name} → ${other}`).toBeLessThan(names.indexOf(name));
  });

  it.each([
    ["server/web/site.ts", "../database/sql.ts"],
    ["server/web/site.ts", "#server/database/sql.ts"],
    ["server/web/site.ts", "../api/backend.ts"],
    ["server/web/site.ts", "../shop/backend.ts"],
    ["server/web/site.ts", "../main.ts"],
    ["server/payments/payment-service.ts", "../database/sql.ts"],
    ["server/payments/payment-service.ts", "../web/site.ts"],
    ["server/hosted/backend.ts", "../shop/backend.ts"],
    ["server/api/accounts/user.ts", "../../web/site.ts"],
    ["server/api/accounts/user.ts", "../../payments/payment-service.ts"],
    ["server/api/accounts/user.ts", "../../shop/backend.ts"],
    ["server/emails/email-worker.ts", "../api/api.ts"],
    ["server/lib/concurrency-limit.ts", "../database/sql.ts"],
    ["server/lib/concurrency-limit.ts", "../payments/payment-service.ts"],
  ])("don't allow %s to import %s", (file, imported) => {
    expect(crossings(file, `import { a } from "${imported}";`)).toHaveLength(1);
    expect(crossings(file, `await import("${imported}");`)).toHaveLength(1);
  });

  it.each([
    ["server/main.ts", "./shop/backend.ts"],
    ["server/web/site.ts", "../payments/payments.ts"],
    ["server/payments/payment-service.ts", "../lib/refusal.ts"],
    ["server/api/accounts/user.ts", "../../database/sql.ts"],
    ["server/api/accounts/user.ts", "./users.ts"],
    ["server/shop/backend.ts", "../api/api.ts"],
    ["server/database/sql.ts", "../../shared/text/uuid.ts"],
  ])("allow %s to import %s", (file, imported) => {
    expect(crossings(file, `import { a } from "${imported}";`)).toEqual([]);
  });

  it("let the web pages, payments and a hosted project know only the type of the backend", () => {
    expect(crossings("server/web/site.ts", 'import type { Backend } from "../api/backend.ts";')).toEqual([]);
    expect(crossings("server/web/site.ts", 'import type { Api } from "../api/caller.ts";')).toHaveLength(1);
  });
});
