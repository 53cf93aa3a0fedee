import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { expect, test } from "vitest";
import { listen } from "./web-server.ts";

/** A server whose operating system refuses to listen. */
function refusedServer(code: string): Server {
  const server = new EventEmitter();
  const listen = () => server.emit("error", Object.assign(new Error(`listen ${code}`), { code }));
  return Object.assign(server, { listen }) as unknown as Server;
}

test.each(["ENOTFOUND", "EAI_AGAIN", "EADDRNOTAVAIL", "EINVAL"])(
  "names HOST in one line when the system refuses its address with %s",
  async (code) => {
    await expect(listen(refusedServer(code), { port: 3000, host: "nonsense" })).rejects.toMatchObject({
      name: "StartError",
      message: `HOST is "nonsense", which is no address of this machine (${code}): set it to 127.0.0.1, or to 0.0.0.0 to let other machines in`,
    });
  },
);

test("names PORT when it is in use, and the system's code for everything else", async () => {
  const place = { port: 80, host: "127.0.0.1" };
  await expect(listen(refusedServer("EADDRINUSE"), place)).rejects.toThrow(
    "Port 80 is in use. Set PORT to a free one.",
  );
  await expect(listen(refusedServer("EACCES"), place)).rejects.toThrow(
    "Cannot listen on 127.0.0.1:80: EACCES",
  );
});
