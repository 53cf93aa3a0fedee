import { createTransport } from "nodemailer";

export type Attachment = { filename: string; content: Buffer; contentType: string };

/** An email before it is encoded, as text and as HTML. */
export type Email = { to: string; subject: string; text: string; html: string; attachments?: Attachment[] };

/** Who sends it: the shop's name, and the server's address for it. */
export type Sender = { name: string; address: string };

type Head = { messageId?: string; date?: Date; replyTo?: string; headers?: Record<string, string> };

/** An object, because a string would be parsed as a list of recipients. */
const only = (address: string) => ({ name: "", address });

const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });

/** The encoded email. */
export async function compose(from: Sender, email: Email, { replyTo, ...head }: Head = {}): Promise<string> {
  const composed = await composer.sendMail({
    ...email,
    ...head,
    ...(replyTo ? { replyTo: only(replyTo) } : {}),
    from,
    to: only(email.to),
  });
  return String(composed.message);
}

/** Since the server's last response; nodemailer's default is ten minutes. */
const socketTimeoutMs = 60_000;
/** Before a router on the way forgets an idle connection: the next email would wait for the timeout. */
const idleTimeoutMs = 30_000;

/** For a whole email, however often a slow server responds: another worker may send it when its lease has ended. */
const deliveryTimeoutMs = 2 * 60_000;

export type Mail = { from: string; to: string; raw: string };

export type MailServer = {
  /** Resolves when the server has accepted the email. One that fails for lack of time may have been accepted. */
  send: (mail: Mail) => Promise<void>;
  /** Whether it takes connections and the password, tried with a connection of its own. */
  responds: () => Promise<boolean>;
  close: () => void;
};

/**
 * Opens connections when they are needed and reuses them.
 * @param connections at most this many
 * @param timeoutMs for each email
 */
export function connectMailServer(
  smtpUrl: string,
  connections: number,
  timeoutMs = deliveryTimeoutMs,
): MailServer {
  const server = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: connections,
    idleTimeout: idleTimeoutMs,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: socketTimeoutMs,
  });
  return {
    send: async ({ from, to, raw }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      await server.sendMail({ envelope: { from, to: only(to) }, raw, signal });
    },
    responds: () =>
      server.verify().then(
        () => true,
        () => false,
      ),
    close: () => server.close(),
  };
}

/** How long an admin waits for a test email. */
const testTimeoutMs = 15_000;

/** Tries an email once. Resolves to the server's own words, or to why there are none. */
export async function sendOnce(
  smtpUrl: string,
  { from, to, raw }: Mail,
): Promise<{ sent: boolean; response: string }> {
  const limits = {
    connectionTimeout: testTimeoutMs,
    greetingTimeout: testTimeoutMs,
    socketTimeout: testTimeoutMs,
  };
  const server = createTransport({ url: smtpUrl, ...limits });
  try {
    const { response } = await server.sendMail({ envelope: { from, to: only(to) }, raw });
    return { sent: true, response };
  } catch (error) {
    const { response, message, code } = error as Error & { response?: string; code?: string };
    return { sent: false, response: response ?? `${code ?? "Error"}: ${message}` };
  } finally {
    server.close();
  }
}

type MailError = { code?: string; responseCode?: number };

/** nodemailer's codes for failures that would affect every email. */
const serverFaults = [
  "ECONNECTION",
  "ETIMEDOUT",
  "ESOCKET",
  "EDNS",
  "ETLS",
  "EPROTOCOL",
  "EPROXY",
  "ECONFIG",
  "EAUTH",
  "ENOAUTH",
  "EOAUTH2",
  "EABORT",
];

export type MailFault = {
  code: string;
  responseCode: number;
  /** It would affect every email. */
  ofServer: boolean;
  /** This email will never be accepted. */
  forGood: boolean;
};

/** What a failed `send` means. */
export function mailFault(error: unknown): MailFault {
  const { code = "no code", responseCode = 0 } = error as MailError;
  // 421 closes the connection, whatever it answers.
  const ofServer = responseCode === 421 || serverFaults.includes(code);
  return { code, responseCode, ofServer, forGood: responseCode >= 500 && !ofServer };
}
