import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmbedded } from "#server/database/postgres/embedded.ts";
import { databasePaths } from "#server/database/postgres/folder.ts";
import { connectTo } from "#tests/support/test-server.ts";

const limit = vi.hoisted(() => ({ kilobytes: 0, program: "", libraries: "" }));

/** What a large catalogue asks for. */
vi.mock(import("#server/database/postgres/buffers.ts"), async (importOriginal) => ({
  ...(await importOriginal()),
  readBuffers: async () => (limit.kilobytes ? "1024MB" : "32MB"),
}));

/** Whoever runs it must reach the program itself too, which may be in a folder that is closed to others. */
vi.mock(import("#server/database/postgres/account.ts"), async (importOriginal) => {
  const { findAccount } = await importOriginal();
  const { findBinaries } = await vi.importActual<typeof import("#server/database/postgres/binaries.ts")>(
    "#server/database/postgres/binaries.ts",
  );
  return {
    findAccount: async (folders: string[]) => {
      const { postgres } = await findBinaries(limit.libraries);
      return findAccount([...folders, dirname(postgres)]);
    },
  };
});

/** The server's program, under a limit of the memory that the kernel promises it. */
vi.mock(import("#server/database/postgres/binaries.ts"), async (importOriginal) => {
  const { findBinaries } = await importOriginal();
  return {
    findBinaries: async (spare: string) => {
      const binaries = await findBinaries(spare);
      if (!limit.kilobytes) return binaries;
      await writeFile(
        limit.program,
        `#!/bin/sh\nulimit -v ${limit.kilobytes}\nexec '${binaries.postgres}' "$@"\n`,
      );
      await chmod(limit.program, 0o755);
      return { ...binaries, postgres: limit.program };
    },
  };
});

async function start(dataDir: string) {
  const lines: string[] = [];
  let ask = async (_text: string): Promise<string> => "";
  const server = await startEmbedded(
    dataDir,
    (access) => {
      ask = async (text) => {
        const sql = connectTo(access, "postgres", { max: 1, connect_timeout: 5 });
        const [row] = await sql.unsafe(text).finally(() => sql.end({ timeout: 1 }));
        return String(Object.values(row ?? {})[0]);
      };
      return {
        responds: () =>
          ask("select 1").then(
            () => true,
            () => false,
          ),
      };
    },
    (line) => lines.push(line),
  );
  return { server, lines, ask: (text: string) => ask(text) };
}

test.runIf(process.platform === "linux")(
  "a database starts with the smallest buffers when larger ones do not fit in memory",
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "memory-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const { folder, libraries } = databasePaths(dataDir);
    limit.libraries = libraries;
    await (await start(dataDir)).server.stop();

    Object.assign(limit, { kilobytes: 400_000, program: join(dirname(folder), "limited.sh") });
    const { server, lines, ask } = await start(dataDir);
    onTestFinished(() => server.stop());
    expect(await ask("show shared_buffers")).toBe("32MB");
    expect(lines).toEqual(["not enough memory for 1024MB of database buffers; starting with 32MB"]);
  },
);
