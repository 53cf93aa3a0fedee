import { buildIfChanged } from "#server/build.ts";

/** Before the first test file: several of them start the shop at once, and would all build the same folder. */
export async function setup(): Promise<void> {
  await buildIfChanged();
}
