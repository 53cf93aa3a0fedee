import { startOwnersPostgres } from "./owners-postgres.ts";
import { startTestServer } from "./test-server.ts";

/** Runs before the first test file: all files share the built-in server and an owner's server. */
export async function setup(): Promise<() => Promise<void>> {
  const stops = await Promise.all([startTestServer(), startOwnersPostgres()]);
  return async () => {
    for (const stop of stops) await stop();
  };
}
