import { callAsOwner } from "#server/database/call-as-owner.ts";
import { Connections } from "#server/database/connections.ts";
import { connectionOptions } from "#server/database/pool.ts";
import { connectionsSql } from "#server/database/sql.ts";
import { steppingPaymentService } from "./stepping.ts";

/*
 * What the web server does about payments, in a process of its own, to be killed. It opens a payment of the order ORDER, or does
 * what the worker does. At the step STOP_AT it says so and waits.
 */
const { STOP_AT, ORDER, DATABASE = "", SERVER = "", PAYSTACK = "" } = process.env;
const access = { ...JSON.parse(SERVER), database: DATABASE };
const options = { ...connectionOptions, ...access };
const database = callAsOwner(connectionsSql(Connections.to(`postgres://localhost/${DATABASE}`, options, 1)));

const paymentService = steppingPaymentService(database, PAYSTACK, async (step) => {
  if (step !== STOP_AT) return;
  process.send?.(step);
  await new Promise(() => {});
});

process.on("disconnect", () => process.exit());
if (ORDER) await paymentService.open(ORDER);
else while (await paymentService.checkNext());
process.send?.("never came there");
