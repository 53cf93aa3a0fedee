import { Connections } from "#server/embedded/connections.ts";
import { connectionOptions } from "#server/embedded/pool.ts";
import { startShopEmails } from "#server/embedded/shop-emails.ts";
import { connectionsSql, type Sql } from "#server/embedded/sql.ts";
import { readSettings } from "#server/shared/settings.ts";

/*
 * The shop's email worker in a process of its own, to be killed. With STOP_AT it says where it is when it comes there and waits:
 * "claimed" before anything is sent, "accepted" before that is recorded, "recorded" after it.
 */
const { STOP_AT, DATABASE = "", SERVER = "" } = process.env;
const access = { ...JSON.parse(SERVER), database: DATABASE };
const connections = Connections.to(
  `postgres://localhost/${DATABASE}`,
  { ...connectionOptions, ...access },
  1,
);
const sql = connectionsSql(connections);

async function stopAt(point: string): Promise<void> {
  if (STOP_AT !== point) return;
  process.send?.(point);
  await new Promise(() => {});
}

const stopping: Sql = {
  ...sql,
  query: async (text, values) => {
    if (text.includes("record_sent_email")) await stopAt("accepted");
    const rows = await sql.query<{ result: unknown }>(text, values);
    if (text.includes("record_sent_email")) await stopAt("recorded");
    if (text.includes("claim_email") && rows[0]?.result) await stopAt("claimed");
    return rows as never;
  },
};

startShopEmails(readSettings(process.env), stopping, () => {});
process.on("disconnect", () => process.exit());
