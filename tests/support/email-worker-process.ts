import { Connections } from "#server/database/connections.ts";
import { connectionOptions } from "#server/database/pool.ts";
import { connectionsSql } from "#server/database/sql.ts";
import { startShopEmails } from "#server/emails/shop-emails.ts";
import { readSettings } from "#server/lib/settings.ts";
import { steppingEmails } from "./stepping.ts";

/* The shop's email worker in a process of its own, to be killed. With STOP_AT it says where it is when it comes there and waits. */
const { STOP_AT, DATABASE = "", SERVER = "" } = process.env;
const access = { ...JSON.parse(SERVER), database: DATABASE };
const connections = Connections.to(
  `postgres://localhost/${DATABASE}`,
  { ...connectionOptions, ...access },
  1,
);
const stepping = steppingEmails(connectionsSql(connections), async (step) => {
  if (step !== STOP_AT) return;
  process.send?.(step);
  await new Promise(() => {});
});

startShopEmails(readSettings(process.env), stepping, () => {});
process.on("disconnect", () => process.exit());
