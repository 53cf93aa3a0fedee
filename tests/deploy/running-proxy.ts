import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const HOST = "shop.example";

export type Certificate = { folder: string; certificate: string; key: string; remove: () => void };

/** A certificate of its own for the shop's name. */
export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "adwene-proxy-"));
  const [certificate, key] = [join(folder, "fullchain.pem"), join(folder, "privkey.pem")];
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${HOST}`;
  execFileSync(
    "openssl",
    [...words.split(" "), "-addext", `subjectAltName=DNS:${HOST}`, "-keyout", key, "-out", certificate],
    {
      stdio: "ignore",
    },
  );
  return { folder, certificate, key, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a proxy in the foreground until `stop`; resolves when it listens. */
export async function startProxy(file: string, args: string[], port: number, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env } });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const deadline = Date.now() + 20_000;
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${file} does not listen:\n${printed}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

type Asked = { method?: string; headers?: Record<string, string>; body?: string | Buffer; from?: string };
export type Answered = { status: number; headers: NodeJS.Dict<string | string[]>; text: string };

/** Asks through the proxy as a customer whose own address is `from`, one of this machine's loopback addresses. */
export function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body, from = "127.0.0.2" }: Asked = {},
) {
  return new Promise<Answered>((resolve, reject) => {
    const outgoing = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        localAddress: from,
        servername: HOST,
        headers: { host: HOST, ...headers },
        rejectUnauthorized: false,
        agent: false,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}
