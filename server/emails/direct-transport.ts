import type { EmailTransport } from "./email-transport.ts";
import { connectMailServer, type Email, type Mail, mailFault } from "./mail-server.ts";

/**
 * Has an email accepted by the mail server before it is no longer the caller's: of several machines on one database none keeps what only
 * it could send.
 * @param queue on this machine's disk: for hundreds at once, and for what an earlier version has left there
 */
export function sendDirectly(
  smtpUrl: string,
  encode: (email: Email) => Promise<Mail>,
  queue: EmailTransport,
  log: (line: string) => void,
): EmailTransport {
  const server = connectMailServer(smtpUrl, 2);
  return {
    send: async (email) => {
      await server.send(await encode(email)).catch((error) => {
        const { code, responseCode, forGood } = mailFault(error);
        if (!forGood) throw error;
        log(`an email was given up (${code}, ${responseCode})`);
      });
    },
    sendLater: queue.send,
    stop: async () => {
      await queue.stop();
      server.close();
    },
  };
}
