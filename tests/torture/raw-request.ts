import { connect } from "node:net";

/** A request as bytes: whatever a hostile program could send, not only what an HTTP library lets through. */
export type RawRequest = {
  method: string;
  /** Everything between the method and " HTTP/1.1"; one byte a character. */
  target: string;
  headers: [name: string, value: string][];
  body: Buffer | null;
};

export type RawAnswer = {
  /** 0 when the connection ended without an answer. */
  status: number;
  head: string;
  body: string;
  elapsedMs: number;
};

const PATIENCE_MS = 60_000;

/** The bytes of a request; a body gets its length unless the headers already say something about it. */
export function toBytes({ method, target, headers, body }: RawRequest): Buffer {
  const names = headers.map(([name]) => name.toLowerCase());
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(names.includes("host") ? [] : ["Host: localhost"]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body && !names.includes("content-length") && !names.includes("transfer-encoding")
      ? [`Content-Length: ${body.length}`]
      : []),
    "Connection: close",
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body ?? Buffer.alloc(0)]);
}

/**
 * Sends bytes on a connection of their own and reads until its end.
 * @param bytes all at once, or piece by piece as fast as the other side reads them
 * @throws Error when there is neither an answer nor an end within a minute
 */
export function sendRaw(port: number, bytes: Buffer | AsyncIterable<Buffer>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const received: Buffer[] = [];
    const socket = connect(port, "127.0.0.1");
    const patience = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer within ${PATIENCE_MS / 1000} s`));
    }, PATIENCE_MS);
    socket.on("data", (chunk) => received.push(chunk));
    // An answer that comes before the whole body is read ends in a reset; what was received counts.
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(patience);
      resolve(readAnswer(Buffer.concat(received), performance.now() - startedAt));
    });
    socket.on("connect", async () => {
      if (Buffer.isBuffer(bytes)) return void socket.write(bytes);
      for await (const piece of bytes) {
        if (socket.destroyed || received.length > 0) break;
        if (!socket.write(piece)) await drained(socket);
      }
    });
  });
}

function drained(socket: ReturnType<typeof connect>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done).off("close", done).off("data", done);
      resolve();
    };
    socket.once("drain", done).once("close", done).once("data", done);
  });
}

function readAnswer(bytes: Buffer, elapsedMs: number): RawAnswer {
  // "100 Continue" only announces the answer.
  const text = bytes.toString("utf8").replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, "");
  const end = text.indexOf("\r\n\r\n");
  const head = end < 0 ? text : text.slice(0, end);
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: end < 0 ? "" : text.slice(end + 4),
    elapsedMs,
  };
}
