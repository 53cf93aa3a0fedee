import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IDLE_TIMEOUT_MS } from "#server/web/web-server.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";

/** How long a request waits for its turn before its statement begins. */
const WAIT_SECONDS = 10;

describeDatabase("The longest statement that staff may run", (open) => {
  test("the longest statement ends before the shop or a proxy closes its idle connection", async () => {
    const [longest] = await open().query<{ seconds: number }>(
      `select max(extract(epoch from split_part(setting, '=', 2)::interval))::int as seconds
         from pg_proc, unnest(proconfig) as setting
        where pronamespace = 'public'::regnamespace and setting like 'statement_timeout=%'`,
    );
    const seconds = (longest?.seconds ?? 0) + WAIT_SECONDS;
    expect(seconds).toBeGreaterThan(100);
    expect(IDLE_TIMEOUT_MS / 1_000).toBeGreaterThan(seconds);
    for (const [file, pattern] of [
      ["nginx.conf", /proxy_read_timeout (\d+)s;/],
      ["Caddyfile", /response_header_timeout (\d+)s/],
    ] as const) {
      const text = await readFile(join(import.meta.dirname, "../../deploy", file), "utf8");
      expect([file, Number(pattern.exec(text)?.[1]) > seconds]).toEqual([file, true]);
    }
  });
});
