import { callAsOwner } from "../database/call-as-owner.ts";
import type { Sql } from "../database/sql.ts";
import type { Settings } from "../lib/settings.ts";
import type { ClaimedEmail } from "./claimed-email.ts";
import { prepareEmail } from "./deliver.ts";
import { openEmailQueue } from "./email-queue.ts";
import { writeToOutbox } from "./email-transport.ts";
import { type EmailWorker, emailsAtOnce, startEmailWorker } from "./email-worker.ts";
import { connectMailServer } from "./mail-server.ts";
import { readShop } from "./read-shop.ts";

/** How long a customer may wait for the first email; a round without emails costs only an index lookup. */
const everyMs = 2_000;

/** An email's file in the outbox: the same one when it is resent after a crash. */
const fileName = ({ id, created_at }: ClaimedEmail) =>
  `${new Date(created_at).toISOString().replaceAll(":", "-")}-${id.slice(0, 8)}.eml`;

/** Sends the emails about orders and stock, to the mail server or into the outbox. */
export function startShopEmails(
  settings: Settings,
  sql: Sql,
  log: (line: string) => void,
  leads: () => boolean = () => true,
): EmailWorker {
  const server = settings.smtpUrl ? connectMailServer(settings.smtpUrl, emailsAtOnce) : null;
  const call = callAsOwner(sql);
  const worker = startEmailWorker({
    queue: openEmailQueue(call),
    deliver: async (email) => {
      const mail = await prepareEmail(email, settings, await readShop(call));
      if (server) await server.send(mail);
      else await writeToOutbox(settings.dataDir, fileName(email), mail.raw);
    },
    responds: async () => server?.responds() ?? true,
    log,
    leads,
    everyMs,
  });
  return {
    ...worker,
    stop: async () => {
      await worker.stop();
      server?.close();
    },
  };
}
