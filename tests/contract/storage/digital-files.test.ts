import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { ObjectFiles } from "#server/api/storage/stored-files.ts";
import { callOver } from "#server/lib/call-database.ts";
import { log } from "#server/lib/log.ts";
import { readSettings } from "#server/lib/settings.ts";
import { tidyDigitalFiles } from "#server/shop/housekeeping.ts";
import { contentDisposition, downloadRoutes, readRange } from "#server/web/download-routes.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

/* The files of digital titles through the API that staff's browsers use, and their downloads over HTTP. */

const PIECE = 4_194_304;
const OCTETS = "application/octet-stream";

let api: OwnApi;
let admin = "";
let customer = "";
beforeAll(async () => {
  api = await openOwnApi();
  admin = await api.newPerson("admin");
  customer = await api.newPerson();
});
afterAll(() => api?.close());

const upload = (name: string, type: string, body: Uint8Array<ArrayBuffer>, as = admin, headers = {}) =>
  api.ask(`/storage/v1/object/digital-files/${name}`, {
    as,
    body,
    headers: { "content-type": type, ...headers },
  });
const statusOf = async (response: Response) => {
  const { statusCode, error } = (await response.json()) as { statusCode?: string; error?: string };
  return response.ok ? "ok" : `${statusCode} ${error}`;
};
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const call = async <Answer>(name: string, body: object, as = admin): Promise<Answer> => {
  const response = await api.ask(`/rest/v1/rpc/${name}`, { as, body });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return (text ? JSON.parse(text) : null) as Answer;
};

/** A PDF's first bytes, then bytes that encode their own position. */
function content(size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) whole[at] = (at * 7 + (at >> 12)) % 251;
  whole.set(bytes("%PDF-1.7"));
  return whole;
}

async function addFile(name: string, whole: Uint8Array<ArrayBuffer>) {
  const [book] = await api.sql.query<{ id: string }>(
    "insert into public.books (title, price, kind) values ('A reader', 0, 'digital') returning id",
  );
  const id = randomUUID();
  const pieces = Math.ceil(whole.byteLength / PIECE);
  for (let piece = 1; piece <= pieces; piece += 1) {
    const part = whole.slice((piece - 1) * PIECE, piece * PIECE);
    const response = await upload(`${id}/000${piece}`, piece === 1 ? "application/pdf" : OCTETS, part);
    expect(response.status).toBe(200);
  }
  const facts = { _name: name, _type: "application/pdf", _size: whole.byteLength, _pieces: pieces };
  await call("add_digital_file", { _id: id, _book_id: book?.id, ...facts, _sha256: "ab".repeat(32) });
  return { id, book: String(book?.id) };
}

/** A customer's order, paid at once because it costs nothing. */
async function orderOf(book: string, as = customer): Promise<string> {
  await call("add_to_cart", { _book_id: book, _quantity: 1 }, as);
  const id = randomUUID();
  const row = { id, user_id: as, total_amount: 0, status: "pending", delivery_method: "download" };
  expect((await api.ask("/rest/v1/orders", { as, body: row })).status).toBe(201);
  return id;
}

describe("A piece of a file", () => {
  test.each([
    ["application/pdf", "%PDF-1.7 and more"],
    ["application/zip", "PK\x03\x04 and more"],
    ["application/epub+zip", `PK\x03\x04${"-".repeat(26)}mimetypeapplication/epub+zipPK`],
    ["audio/mpeg", "ID3\x04 and more"],
    ["audio/mpeg", "\xff\xfb\x90\x64"],
    ["audio/mp4", "\0\0\0\x20ftypM4A \0\0\0\0"],
    ["video/mp4", "\0\0\0\x20ftypisom\0\0\0\0"],
  ])("is taken as %s", async (type, text) => {
    expect(await statusOf(await upload(`${randomUUID()}/0001`, type, bytes(text)))).toBe("ok");
  });

  test.each([
    ["application/pdf", "<!doctype html><script>alert(1)</script>"],
    ["application/pdf", " %PDF-1.7"],
    ["application/pdf", ""],
    ["application/epub+zip", "PK\x03\x04 an archive that is no book"],
    ["application/zip", "%PDF-1.7"],
    ["audio/mpeg", "\xff\xff\xff\xff"],
    ["audio/mpeg", "MZ a program"],
    ["video/mp4", "\x1aE\xdf\xa3 webm and more"],
    [OCTETS, "%PDF-1.7"],
  ])("that is first is refused as %s when its bytes are %j", async (type, text) => {
    expect(await statusOf(await upload(`${randomUUID()}/0001`, type, bytes(text)))).toBe(
      "415 invalid_mime_type",
    );
  });

  test("is refused with a type that browsers execute, without the duty, and above 4 MiB", async () => {
    const name = `${randomUUID()}/0001`;
    expect(await statusOf(await upload(name, "text/html", bytes("%PDF-")))).toBe("415 invalid_mime_type");
    expect(await statusOf(await upload(name, "application/pdf", bytes("%PDF-"), customer))).toBe(
      "403 Unauthorized",
    );
    expect(await statusOf(await upload(name, "application/pdf", content(PIECE + 1)))).toBe(
      "413 Payload too large",
    );
    expect((await api.refuseUpload(`/storage/v1/object/digital-files/${name}`, customer))?.status).toBe(400);
    expect(await api.refuseUpload(`/storage/v1/object/digital-files/${name}`, admin)).toBe(null);
  });

  test("is readable only by staff with the duty, under any URL", async () => {
    const { id, book } = await addFile("A.pdf", content(100));
    await orderOf(book);
    for (const path of ["object", "object/authenticated", "object/public"])
      for (const as of [customer, undefined])
        expect((await api.ask(`/storage/v1/${path}/digital-files/${id}/0001`, as ? { as } : {})).status).toBe(
          400,
        );
    const list = (as: string) =>
      api.ask("/storage/v1/object/list/digital-files", { as, body: { prefix: id, limit: 100 } });
    expect(await (await list(customer)).json()).toEqual([]);
    expect(await (await list(admin)).json()).toMatchObject([{ name: "0001" }]);
  });

  test("can be sent again until the file is complete, and can't be replaced or deleted after that", async () => {
    const name = `${randomUUID()}/0001`;
    const again = () => upload(name, "application/pdf", bytes("%PDF-1"), admin, { "x-upsert": "true" });
    await again();
    expect(await statusOf(await again())).toBe("ok");
    const { id } = await addFile("A.pdf", content(100));
    const late = await upload(`${id}/0001`, "application/pdf", bytes("%PDF-1"), admin, {
      "x-upsert": "true",
    });
    expect(await statusOf(late)).toBe("409 file_complete");
    const removed = await api.ask("/storage/v1/object/digital-files", {
      as: admin,
      method: "DELETE",
      body: { prefixes: [`${id}/0001`] },
    });
    expect(await removed.json()).toEqual([]);
  });
});

test.each([
  [null, null],
  ["bytes=0-9", { from: 0, to: 9 }],
  ["bytes=90-", { from: 90, to: 99 }],
  ["bytes=-5", { from: 95, to: 99 }],
  ["bytes=-500", { from: 0, to: 99 }],
  ["bytes=95-500", { from: 95, to: 99 }],
  ["bytes=100-", "none"],
  ["bytes=-0", "none"],
  ["bytes=9-3", null],
  ["bytes=-", null],
  ["bytes=0-1,5-6", null],
  ["lines=0-1", null],
])("the range %j of 100 bytes is %j", (header, expected) => {
  expect(readRange(header, 100)).toEqual(expected);
});

test.each([
  ["Reader.pdf", "attachment; filename=\"Reader.pdf\"; filename*=UTF-8''Reader.pdf"],
  [
    "Ɛwe – Term 1.pdf",
    "attachment; filename=\"we  Term 1.pdf\"; filename*=UTF-8''%C6%90we%20%E2%80%93%20Term%201.pdf",
  ],
  ['a"\\../b%.pdf', "attachment; filename=\"a__.._b_.pdf\"; filename*=UTF-8''a%22%5C..%2Fb%25.pdf"],
  ["数学", "attachment; filename=\"download\"; filename*=UTF-8''%E6%95%B0%E5%AD%A6"],
  ["it's (1).pdf", "attachment; filename=\"it's (1).pdf\"; filename*=UTF-8''it%27s%20%281%29.pdf"],
])("the name %j is sent in both forms", (name, expected) => {
  expect(contentDisposition(name)).toBe(expected);
});

describe("A download", () => {
  const whole = content(2 * PIECE + 1_234);
  let file: Awaited<ReturnType<typeof addFile>>;
  let order = "";
  let origin = "";
  const lines: string[] = [];

  /** Serves the route over HTTP. */
  async function listen(limits = {}) {
    const backend = {
      fetch: api.ask,
      publishableKey: "sb_publishable_test",
      readPiece: api.readPiece,
      call: callOver((path, body) => api.ask(path, { key: "secret", ip: null, body })),
    };
    const routes = downloadRoutes(readSettings({}), backend as never, limits);
    const server = serve({
      fetch: (request, env) => routes.fetch(new Request(request), env),
      port: 0,
      hostname: "127.0.0.1",
    });
    await once(server, "listening");
    return {
      origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () => new Promise((resolve) => server.close(resolve)),
    };
  }

  let close: () => Promise<unknown>;
  beforeAll(async () => {
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, "write").mockImplementation((line) => Boolean(lines.push(String(line))));
    // The server's adapter prints what it catches.
    vi.spyOn(console, "error").mockImplementation((error) => void lines.push(String(error?.stack ?? error)));
    ({ origin, close } = await listen());
    file = await addFile("Ɛwe – Term 1.pdf", whole);
    order = await orderOf(file.book);
    await api.sql.exec("insert into public.shop_settings (id, value) values ('downloadTimes', '100')");
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await close?.();
  });

  const start = async () =>
    (await call<{ token: string }>("start_download", { _order_id: order, _file_id: file.id }, customer))
      .token;
  const get = (token: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`${origin}/${token}`, { method, headers });

  test("a download returns the whole file, byte for byte, as an uncached attachment", async () => {
    const response = await get(await start());
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(whole))).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(whole.byteLength),
      "content-disposition": expect.stringContaining("filename*=UTF-8''%C6%90we%20%E2%80%93%20Term%201.pdf"),
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "accept-ranges": "bytes",
    });
  });

  test.each([
    ["in the middle of a piece", 10, 99],
    ["across two pieces", PIECE - 5, PIECE + 4],
    ["across all pieces", PIECE - 1, 2 * PIECE],
    ["at the end", 2 * PIECE + 1_000, 2 * PIECE + 1_233],
    ["of one byte at a piece's beginning", PIECE, PIECE],
  ])("a download resumes %s without being counted again", async (_, from, to) => {
    const token = await start();
    const before = await api.sql.query("select used from private.file_downloads");
    const response = await get(token, { range: `bytes=${from}-${to}` });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${from}-${to}/${whole.byteLength}`);
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(whole.slice(from, to + 1)))).toBe(
      true,
    );
    expect(await api.sql.query("select used from private.file_downloads")).toEqual(before);
  });

  test("HEAD returns the headers, a range beyond the end is refused, and a changed file is sent whole", async () => {
    const token = await start();
    const head = await get(token, {}, "HEAD");
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(whole.byteLength)]);
    const outside = await get(token, { range: `bytes=${whole.byteLength}-` });
    expect([outside.status, outside.headers.get("content-range")]).toEqual([
      416,
      `bytes */${whole.byteLength}`,
    ]);
    const etag = head.headers.get("etag") ?? "";
    const same = await get(token, { range: "bytes=0-1", "if-range": etag });
    expect(same.status).toBe(206);
    await same.arrayBuffer();
    const other = await get(token, { range: "bytes=0-1", "if-range": '"other"' }, "HEAD");
    expect(other.status).toBe(200);
  });

  test("error pages say what to do", async () => {
    for (const token of ["0".repeat(32), "short", "%00", `${"0".repeat(31)}G`]) {
      const response = await get(token);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain("Open your order and click Download again");
    }
    const token = await start();
    await api.sql.exec("update private.download_tickets set expires_at = now() - interval '1 second'");
    const ended = await get(token);
    expect(ended.status).toBe(410);
    expect(ended.headers.get("cache-control")).toBe("private, no-store");
    expect(await ended.text()).toContain("This link has expired");
  });

  test("losing access ends a link at once and a running download at its next piece", async () => {
    const token = await start();
    const running = await get(token);
    const reader = running.body?.getReader();
    await reader?.read();
    await api.sql.exec(`update public.orders set status = 'cancelled' where id = '${order}'`);
    const before = lines.length;
    const rest = async () => {
      for (;;) if ((await reader?.read())?.done) return "whole";
    };
    // The client stopped reading, so at most two pieces were in transit.
    expect(await rest().catch(() => "cut")).toBe("cut");
    const said = lines.splice(before).join("");
    expect(said).toContain("a running download was ended");
    expect(said.trim().split("\n")).toHaveLength(1);
    for (const secret of [token, "Error", "Term 1", "at "]) expect(said).not.toContain(secret);
    const after = await get(token, { range: "bytes=0-1" });
    expect(after.status).toBe(410);
    expect(await after.text()).toContain("cancelled or refunded");
    await api.sql.exec(`update public.orders set status = 'delivered' where id = '${order}'`);
    expect((await get(token, {}, "HEAD")).status).toBe(200);
  });

  test("a missing piece shows an error page instead of a broken file", async () => {
    const broken = await addFile("B.pdf", content(PIECE + 10));
    const id = await orderOf(broken.book);
    const { token } = await call<{ token: string }>(
      "start_download",
      { _order_id: id, _file_id: broken.id },
      customer,
    );
    await api.sql.exec(`delete from storage.objects where name = '${broken.id}/0002'`);
    await expect(get(token).then((response) => response.arrayBuffer())).rejects.toThrow();
    const second = await get(token, { range: `bytes=${PIECE}-` });
    expect(second.status).toBe(503);
    expect(await second.text()).toContain("This file can&#39;t be read now");
    expect(lines.join("")).toContain("A piece of a digital title's file is missing");
  });

  test("downloads beyond the limit get 503, until one ends", async () => {
    const one = await listen({ most: 1 });
    onTestFinished(async () => void (await one.close()));
    const [first, second] = [await start(), await start()];
    const running = await fetch(`${one.origin}/${first}`);
    const refused = await fetch(`${one.origin}/${second}`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
    await running.arrayBuffer();
    const free = await fetch(`${one.origin}/${second}`, { headers: { range: "bytes=0-9" } });
    expect(free.status).toBe(206);
    await free.arrayBuffer();
  });

  test("a link sends its file five times at most, however many requests and ranges share it", async () => {
    const wide = await listen({ most: 50, mostEach: 50 });
    onTestFinished(async () => void (await wide.close()));
    const small = await addFile("C.html", content(100));
    const id = await orderOf(small.book);
    const begin = async () =>
      (await call<{ token: string }>("start_download", { _order_id: id, _file_id: small.id }, customer))
        .token;
    const token = await begin();
    const fetched = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const response = await fetch(`${wide.origin}/${token}`);
        return {
          status: response.status,
          type: response.headers.get("content-type"),
          text: await response.text(),
        };
      }),
    );
    expect(fetched.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = fetched.filter(({ status }) => status === 410);
    expect(refused).toHaveLength(7);
    expect(refused[0]?.text).toContain("This link has been used too often");
    for (const headers of [{ range: "bytes=50-" }, { range: "bytes=0-0" }])
      expect((await fetch(`${wide.origin}/${token}`, { headers })).status).toBe(410);
    const next = await fetch(`${wide.origin}/${await begin()}`, { headers: { range: "bytes=0-9" } });
    expect([next.status, next.headers.get("content-disposition")]).toEqual([
      206,
      "attachment; filename=\"C.html.pdf\"; filename*=UTF-8''C.html.pdf",
    ]);
    await next.arrayBuffer();
  });

  test("logs contain no token, code or name", async () => {
    const [title] = await api.sql.query<{ id: string }>(
      "insert into public.books (title, price, kind, digital_by) values ('Codes', 0, 'digital', 'code') returning id",
    );
    const code = `SECRET-${randomUUID()}`;
    await call("add_licence_codes", { _book_id: title?.id, _codes: [code] });
    await expect(
      call("add_licence_codes", { _book_id: title?.id, _codes: [code.repeat(9)] }),
    ).rejects.toThrow("too long");
    const id = await orderOf(String(title?.id));
    expect(JSON.stringify(await call("own_downloads", { _order_id: id }, customer))).toContain(code);
    await call("list_given_codes", { _order_id: id });
    const token = await start();
    await (await get(token)).arrayBuffer();
    log.info("the log is read");
    const written = [...lines, ...api.log].join("");
    expect(written).toContain("the log is read");
    for (const secret of [code, token, "SECRET", "Term 1"]) expect(written).not.toContain(secret);
  });
});

test("pieces without a file are deleted with their bytes", async () => {
  const files = new ObjectFiles(`${api.dataDir}/objects`);
  const { id } = await addFile("A.pdf", content(100));
  const loose = randomUUID();
  await upload(`${loose}/0001`, "application/pdf", bytes("%PDF-1"));
  const [object] = await api.sql.query<{ version: string }>(
    "select version from storage.objects where name = $1::text",
    [`${loose}/0001`],
  );
  const piece = { bucket: "digital-files", name: `${loose}/0001`, version: String(object?.version) };
  expect(await files.read(piece)).not.toBe(null);
  await api.sql.exec(
    "update storage.objects set created_at = now() - interval '25 hours' where bucket_id = 'digital-files'",
  );
  expect(await tidyDigitalFiles(api.sql, files, 2)).toBeGreaterThan(0);
  expect(await files.read(piece)).toBe(null);
  expect(await api.readPiece(`${id}/0001`)).toHaveLength(100);
});
