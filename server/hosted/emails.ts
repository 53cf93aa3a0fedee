import { prepareEmail } from "../emails/deliver.ts";
import { openEmailQueue } from "../emails/email-queue.ts";
import { emailsAtOnce, startEmailWorker } from "../emails/email-worker.ts";
import { connectMailServer } from "../emails/mail-server.ts";
import { readShop } from "../emails/read-shop.ts";
import type { Settings } from "../lib/settings.ts";
import { hostedCalls } from "./calls.ts";

const everyMs = 15_000;
type HostedEmails = {
  /** Lines for the owner. */
  notices: string[];
  stop: () => Promise<void>;
};

/**
 * Sends a hosted project's emails about orders and stock from the web process, if the owner has set the secret key
 * and a mail server. Several web processes may do so concurrently.
 * @param log receives lines for the log
 */
export function startHostedEmails(settings: Settings, log: (line: string) => void): HostedEmails {
  const { hosted, secretKey, smtpUrl } = settings;
  if (!hosted || !secretKey || !smtpUrl) {
    const notice =
      "Emails about orders are off: set SUPABASE_SECRET_KEY, SMTP_URL and MAIL_FROM to turn them on.";
    return { notices: [notice], stop: async () => {} };
  }
  const server = connectMailServer(smtpUrl, emailsAtOnce);
  const call = hostedCalls(hosted.url, secretKey);
  const worker = startEmailWorker({
    queue: openEmailQueue(call),
    deliver: async (email) => server.send(await prepareEmail(email, settings, await readShop(call))),
    responds: server.responds,
    log,
    everyMs,
  });
  return {
    notices: [],
    stop: async () => {
      await worker.stop();
      server.close();
    },
  };
}
