import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

export type MailServer = {
  /** What it has accepted, as it came. */
  mails: string[];
  url: string;
};

export type Behaviour = {
  /** Its response to a recipient, given the line and how many came before; it accepts when left out. */
  answer?: (line: string, earlier: number) => string | undefined;
  /** Called when an email has come in whole; it is accepted when this resolves. */
  beforeAccepting?: (mail: string) => Promise<void>;
};

/** A fake mail server. */
export async function openMailServer({
  answer,
  beforeAccepting,
}: Behaviour = {}): Promise<MailServer & { stop: () => void }> {
  const mails: string[] = [];
  let recipients = 0;
  const server = createServer((socket) => {
    let body: string[] | null = null;
    let pending = "";
    const say = (line: string) => socket.write(`${line}\r\n`);
    async function take(line: string): Promise<void> {
      if (body && line !== ".") return void body.push(line);
      if (body) {
        const mail = body.join("\r\n");
        body = null;
        await beforeAccepting?.(mail);
        if (socket.destroyed) return;
        mails.push(mail);
        say("250 kept");
      } else if (line.startsWith("RCPT")) say(answer?.(line, recipients++) ?? "250 fine");
      else if (line === "DATA") {
        body = [];
        say("354 go on");
      } else say(line === "QUIT" ? "221 bye" : "250 fine");
    }
    let taking = Promise.resolve();
    say("220 mail.example");
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const lines = (pending + chunk).split("\r\n");
      pending = lines.pop() ?? "";
      for (const line of lines) taking = taking.then(() => take(line));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`;
  return { mails, url, stop: () => void server.close() };
}

/** The ids of emails, from their heads. */
export const idsOf = ({ mails }: Pick<MailServer, "mails">) => mails.map(idIn);

/** An email's id, which its Message-ID names; the whole email if it has none. */
export const idIn = (mail: string) => /^Message-ID: <([^@]+)@shop\.example>$/im.exec(mail)?.[1] ?? mail;
