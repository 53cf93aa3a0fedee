import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { fetchPublic, isPublicAddress } from "./fetch-public.ts";

test.each([
  ["8.8.8.8", true],
  ["102.176.0.1", true],
  ["2a00:1450:4009::1", true],
  ["0.0.0.0", false],
  ["10.1.2.3", false],
  ["100.64.0.1", false],
  ["127.0.0.1", false],
  ["169.254.169.254", false],
  ["172.31.255.255", false],
  ["192.168.1.1", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::", false],
  ["::1", false],
  ["::ffff:127.0.0.1", false],
  ["::ffff:8.8.8.8", false],
  ["64:ff9b::a00:1", false],
  ["fe80::1", false],
  ["fd00::1", false],
  ["2001:0:1::1", false],
  ["2001:db8::1", false],
  ["2002:7f00:1::", false],
  ["example.com", false],
])("the address %s is public: %s", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

async function serve(respond: RequestListener): Promise<{ url: string; port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, requests };
}

const limits = { maxBytes: 1_000_000, timeoutMs: 20_000 };
const local = { ...limits, isAllowed: () => true };

test("a file is read, also behind redirects", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/moved") response.writeHead(301, { location: "/found" }).end();
    else response.end("a picture");
  });
  expect(Buffer.from(await fetchPublic(`${url}/moved`, local)).toString()).toBe("a picture");
});

test("nothing is requested from the machine itself, by address, name, redirect or another notation", async () => {
  const { url, port, requests } = await serve((_request, response) => response.end("secret"));
  const refused = { status: 422, message: "This address isn't on the public web." };
  const addresses = [
    url,
    `http://localhost:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
  ];
  for (const address of addresses) await expect(fetchPublic(address, limits)).rejects.toMatchObject(refused);
  const redirecting = await serve((_request, response) => response.writeHead(302, { location: url }).end());
  const isAllowed = (_address: string, toPort: number) => toPort === redirecting.port;
  await expect(fetchPublic(redirecting.url, { ...limits, isAllowed })).rejects.toMatchObject(refused);
  expect(requests).toEqual([]);
});

test.each([
  ["file:///etc/passwd", "This is not the address of a picture on the web."],
  ["data:image/png;base64,AA", "This is not the address of a picture on the web."],
  ["https://user:word@example.com/a.jpg", "This is not the address of a picture on the web."],
  ["a.jpg", "This is not the address of a picture on the web."],
  ["http://8.8.8.8:5432/", "This address isn't on the public web."],
])("%s is refused", async (address, message) => {
  await expect(fetchPublic(address, limits)).rejects.toMatchObject({ status: 422, message });
});

test.each<[string, RequestListener, string]>([
  ["a missing file", (_, response) => response.writeHead(404).end(), "The other website responded with 404."],
  ["too large a file", (_, response) => response.end("x".repeat(1_000_001)), "The file is larger than 1 MB."],
  [
    "an endless file",
    (_, response) => {
      const write = () => response.writable && response.write("x".repeat(100_000), write);
      write();
    },
    "The file is larger than 1 MB.",
  ],
  [
    "redirects in a circle",
    (_, response) => response.writeHead(302, { location: "/" }).end(),
    "The link redirects too many times.",
  ],
  ["a connection that is cut", (request) => request.socket.destroy(), "The other website can't be reached."],
])("%s is reported in a sentence", async (_, respond, message) => {
  const { url } = await serve(respond);
  await expect(fetchPublic(url, local)).rejects.toMatchObject({ status: 422, message });
});

test("a website that never responds times out", async () => {
  const { url } = await serve(() => {});
  const message = "The other website took too long.";
  await expect(fetchPublic(url, { ...local, timeoutMs: 50 })).rejects.toMatchObject({ status: 422, message });
});

test("a host name that doesn't exist can't be reached", async () => {
  const message = "The other website can't be reached.";
  await expect(fetchPublic("https://no-such-host.invalid/a.jpg", limits)).rejects.toMatchObject({ message });
});
