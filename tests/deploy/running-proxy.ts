import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { freePort } from "#tests/support/shop-server.ts";

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

/** Runs Caddy with its example, in front of a backend on this port. */
export async function startExampleCaddy(caddy: string, files: Certificate, backendPort: number) {
  const port = await freePort();
  const example = readFileSync(join(import.meta.dirname, "../../deploy/Caddyfile"), "utf8")
    .replace("{\n\tservers", "{\n\tadmin off\n\tauto_https off\n\tservers")
    .replace(`${HOST} {`, `https://${HOST}:${port} {\n\ttls ${files.certificate} ${files.key}`)
    .replace("127.0.0.1:3000", `127.0.0.1:${backendPort}`);
  const config = join(files.folder, "Caddyfile");
  writeFileSync(config, example);
  const home = { HOME: files.folder, XDG_DATA_HOME: files.folder, XDG_CONFIG_HOME: files.folder };
  const args = ["run", "--config", config, "--adapter", "caddyfile"];
  return { port, stop: await startProxy(caddy, args, port, home) };
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

const PIECE_BYTES = 16_384;

/** Sends a body over HTTP/2; the response may come before the whole body is sent (RFC 9113, section 8.1). */
export function uploadOverHttp2(port: number, path: string, { body }: { body: Buffer }) {
  return new Promise<Pick<Answered, "status" | "text">>((resolve, reject) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      servername: HOST,
      rejectUnauthorized: false,
    });
    session.once("error", reject);
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      ":authority": HOST,
      "content-length": String(body.length),
    });
    let status = 0;
    let text = "";
    stream.setEncoding("utf8");
    stream.once("response", (response) => {
      status = Number(response[":status"]);
    });
    stream.on("data", (chunk: string) => {
      text += chunk;
    });
    stream.once("error", reject);
    // Not "close", which waits for the rest of the body.
    stream.once("end", () => {
      session.destroy();
      resolve({ status, text });
    });
    // In pieces, as programs send files: Node loses a response that comes while one large buffer is being written.
    const pieces = Array.from({ length: Math.ceil(body.length / PIECE_BYTES) }, (_, n) =>
      body.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES),
    );
    Readable.from(pieces).pipe(stream);
  });
}
