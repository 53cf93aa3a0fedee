import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { program } from "./program.ts";
import {
  ask,
  type Certificate,
  makeCertificate,
  startExampleCaddy,
  uploadOverHttp2,
} from "./running-proxy.ts";

const caddy = program("caddy");

/* What the proxy itself does with large uploads: the backend only counts the bytes that it receives. */
describe.skipIf(!caddy)("Behind Caddy", () => {
  let backend: Server;
  let files: Certificate;
  let proxy: { port: number; stop: () => Promise<void> };
  beforeAll(async () => {
    backend = createServer((request, response) => {
      let bytes = 0;
      request.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on("end", () => response.end(String(bytes)));
    });
    await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
    files = makeCertificate();
    proxy = await startExampleCaddy(caddy ?? "", files, (backend.address() as AddressInfo).port);
  });
  afterAll(async () => {
    await proxy?.stop();
    backend?.closeAllConnections();
    backend?.close();
    files?.remove();
  });

  const upload = async (bytes: number, version: "1.1" | "2") => {
    const body = Buffer.alloc(bytes);
    if (version === "2") return uploadOverHttp2(proxy.port, "/storage/v1/object/x", { body });
    const headers = { "content-length": String(bytes) };
    return ask(proxy.port, "/storage/v1/object/x", { method: "POST", headers, body });
  };

  test.each(["1.1", "2"] as const)(
    "a cover upload of 5 MB arrives completely over HTTP/%s",
    async (version) => {
      const bytes = 5 * 1024 * 1024 + 10_000;
      expect(await upload(bytes, version)).toMatchObject({ status: 200, text: String(bytes) });
    },
  );

  // Each size between the two limits of the example, in decimal and binary megabytes, and some beyond.
  test.each([6_000_000, 6_100_000, 6_291_457, 6_299_999, 7_000_000, 70_000_000])(
    "an upload of %i bytes gets 413 over HTTP/2, never 502",
    async (bytes) => {
      expect((await upload(bytes, "2")).status).toBe(413);
    },
  );
});
