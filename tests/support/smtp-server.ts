import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export type MailServer = {
  /** What it has accepted, as it came. */
  mails: string[];
  url: string;
};

export type Behaviour = {
  /** Its response to a recipient, given the line and how many came before; it accepts when left out. */
  answer?: (line: string, earlier: number) => string | undefined;
  /** Before each of its lines, as a network has. */
  latencyMs?: number;
  /** Its greeting, given how many connections are open; null closes the connection without one. */
  greet?: (open: number) => string | null;
  /** It closes a connection on which nothing has come for this long after an email. */
  idleMs?: number;
  /** Called when an email has come in whole; it is accepted when this resolves. */
  beforeAccepting?: (mail: string) => Promise<void>;
};

/** A fake mail server. */
export async function openMailServer({
  answer,
  latencyMs = 0,
  greet = () => "220 mail.example",
  idleMs = 0,
  beforeAccepting,
}: Behaviour = {}): Promise<MailServer & { disconnect: () => void; stop: () => void }> {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  let recipients = 0;
  const server = createServer((socket) => {
    let body: string[] | null = null;
    let pending = "";
    const say = (line: string) => socket.write(`${line}\r\n`);
    async function take(line: string): Promise<void> {
      if (body && line !== ".") return void body.push(line);
      if (latencyMs > 0) await pause(latencyMs);
      if (body) {
        const mail = body.join("\r\n");
        body = null;
        await beforeAccepting?.(mail);
        if (socket.destroyed) return;
        mails.push(mail);
        say("250 kept");
        socket.setTimeout(idleMs);
      } else if (line.startsWith("RCPT")) {
        const response = answer?.(line, recipients++) ?? "250 fine";
        say(response);
        if (response.startsWith("421")) socket.end();
      } else if (line === "DATA") {
        body = [];
        say("354 go on");
      } else say(line === "QUIT" ? "221 bye" : "250 fine");
    }
    socket.on("error", () => {});
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("timeout", () => socket.end());
    const greeting = greet(sockets.size);
    if (!greeting?.startsWith("2")) return void socket.end(greeting ? `${greeting}\r\n` : "");
    const greeted = latencyMs > 0 ? pause(latencyMs) : Promise.resolve();
    let taking: Promise<unknown> = greeted.then(() => say(greeting));
    socket.on("data", (chunk) => {
      socket.setTimeout(0);
      const lines = (pending + chunk).split("\r\n");
      pending = lines.pop() ?? "";
      for (const line of lines) taking = taking.then(() => take(line));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`;
  return { mails, url, disconnect, stop: () => void server.close() };
}

/** The ids of emails, from their heads. */
export const idsOf = ({ mails }: Pick<MailServer, "mails">) => mails.map(idIn);

/** An email's id, which its Message-ID names; the whole email if it has none. */
export const idIn = (mail: string) => /^Message-ID: <([^@]+)@shop\.example>$/im.exec(mail)?.[1] ?? mail;
