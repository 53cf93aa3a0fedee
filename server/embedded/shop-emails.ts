import { connectMailServer } from "../shared/mail-server.ts";
import type { Settings } from "../shared/settings.ts";
import type { ClaimedEmail } from "../shared/shop-emails/claimed-email.ts";
import { prepareEmail } from "../shared/shop-emails/deliver.ts";
import { openEmailQueue } from "../shared/shop-emails/email-queue.ts";
import { type EmailWorker, startEmailWorker } from "../shared/shop-emails/email-worker.ts";
import { callIn } from "./call-in.ts";
import { writeToOutbox } from "./email-transport.ts";
import type { Sql } from "./sql.ts";

/** How long a customer may wait for the first email; a round without emails costs only an index lookup. */
const everyMs = 2_000;

/** An email's file in the outbox: the same one when it is resent after a crash. */
const fileName = ({ id, created_at }: ClaimedEmail) =>
  `${new Date(created_at).toISOString().replaceAll(":", "-")}-${id.slice(0, 8)}.eml`;

/** Sends the emails about orders and stock, to the mail server or into the outbox. */
export function startShopEmails(settings: Settings, sql: Sql, log: (line: string) => void): EmailWorker {
  const server = settings.smtpUrl ? connectMailServer(settings.smtpUrl) : null;
  const worker = startEmailWorker({
    queue: openEmailQueue(callIn(sql)),
    deliver: async (email) => {
      const mail = await prepareEmail(email, settings);
      if (server) await server.send(mail);
      else await writeToOutbox(settings.dataDir, fileName(email), mail.raw);
    },
    log,
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
