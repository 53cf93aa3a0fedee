import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildIfChanged } from "#server/build.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where prepared-folder.ts keeps what one test file makes for all. */
    preparedFolder: string;
  }
}

/** Before the first test file: several of them start the shop at the same time, and would all build into the same folder. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfChanged();
  const folder = await mkdtemp(join(tmpdir(), "adwene-prepared-"));
  project.provide("preparedFolder", folder);
  return () => rm(folder, { recursive: true, force: true });
}
