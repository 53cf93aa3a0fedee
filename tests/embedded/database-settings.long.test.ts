import { expect, test } from "vitest";
import { startDatabase } from "./own-settings.ts";

test("The shop's own database waits for the disk, keeps to little memory while it is small, and logs nothing about customers", async () => {
  const query = await startDatabase();
  const expected = {
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    autovacuum: "on",
    // 32 MB in pages of 8 kB.
    shared_buffers: "4096",
    log_statement: "none",
    log_min_messages: "fatal",
    log_min_error_statement: "panic",
    log_min_duration_statement: "-1",
    log_parameter_max_length_on_error: "0",
    ...(process.platform === "win32" ? {} : { listen_addresses: "", unix_socket_permissions: "0700" }),
  };
  const names = Object.keys(expected).map((name) => `'${name}'`);
  const settings = await query(`select name, setting from pg_settings where name in (${names.join(", ")})`);
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual(expected);
});
