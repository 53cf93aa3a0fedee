import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** What the web process may import of the backend's code: how it starts and calls it, its page of emails, and its lock. */
const doors = [
  "backend.ts",
  "kernel-lock.ts",
  "presence.ts",
  "protocol.ts",
  "outbox-key.ts",
  "outbox-page.ts",
].map((file) => `server/embedded/${file}`);

function roomOf(file: string): "web" | "embedded" | "shared" | "other" {
  const folder = dirname(file);
  if (folder === "server") return "web";
  if (folder.startsWith("server/embedded")) return "embedded";
  return folder.startsWith("server/shared") ? "shared" : "other";
}

/** Imports from one process's code into the other's, past the doors, as "file imports file". */
function crossings(file: string, source: string): string[] {
  return [...source.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)]
    .map(([, imported = ""]) => join(dirname(file), imported))
    .filter((imported) => {
      const rooms = `${roomOf(file)} ${roomOf(imported)}`;
      if (rooms === "web embedded") return !doors.includes(imported);
      if (rooms === "embedded web") return !doors.includes(file);
      return rooms === "shared web" || rooms === "shared embedded";
    })
    .map((imported) => `${file} imports ${imported}`);
}

describe("the server's two processes", () => {
  it("import each other only through their entry points, and share only server/shared", () => {
    const files = globSync("server/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
    expect(files.flatMap((file) => crossings(file, readFileSync(join(root, file), "utf8")))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(doors));
  });

  it("may not import each other in any other way", () => {
    const found = (file: string, imported: string) => crossings(file, `import { a } from "${imported}";`);
    expect(found("server/site.ts", "./embedded/sql.ts")).toHaveLength(1);
    expect(found("server/site.ts", "./embedded/protocol.ts")).toEqual([]);
    expect(found("server/embedded/accounts/user.ts", "../../site.ts")).toHaveLength(1);
    expect(found("server/embedded/accounts/user.ts", "../sql.ts")).toEqual([]);
    expect(found("server/shared/lanes.ts", "../embedded/sql.ts")).toHaveLength(1);
  });
});
