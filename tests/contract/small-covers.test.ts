import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoredCover } from "#server/api/storage/stored-cover.ts";
import { newVersion, ObjectFiles } from "#server/api/storage/stored-files.ts";
import { tidyFiles } from "#server/shop/housekeeping.ts";
import { createPictureMaker, type MadePicture, type MakePicture } from "#server/web/picture-maker.ts";
import { createSmallCovers } from "#server/web/small-covers.ts";
import { COVER_SIZES, COVER_WIDTHS } from "#shared/books/cover-sizes.ts";
import { EVENT_PICTURE_WIDTHS, EVENT_PREVIEW_SIZE } from "#shared/books/picture-sizes.ts";
import { jpegOf } from "#tests/support/jpeg.ts";
import { type OwnApi, openOwnApi } from "#tests/support/own-api.ts";

let api: OwnApi;
let admin = "";
beforeAll(async () => {
  api = await openOwnApi();
  admin = await api.newPerson("admin");
});
afterAll(() => api?.close());

const realMaker = createPictureMaker();

/** A web process of its own, with what it has made and logged. */
function openProcess(
  makePicture: MakePicture = realMaker,
  now = Date.now,
  changes: Partial<StoredCover> = {},
) {
  const made: string[] = [];
  const lines: string[] = [];
  const respond = createSmallCovers({
    findCover: async (...args) => {
      const cover = await api.findCover(...args);
      return cover && { ...cover, ...changes };
    },
    originalUrl: (rawName) => `/original/${rawName}`,
    makePicture: (original, size) => {
      made.push(`${size.width}.${size.format}`);
      return makePicture(original, size);
    },
    log: { warn: (message, fields) => lines.push(`${message} ${JSON.stringify(fields)}`) },
    now,
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    respond(new Request(`http://shop.example/covers/${path}`, { headers }), "203.0.113.1");
  return { get, made, lines };
}

const call = (name: string, method: string, body?: Uint8Array) =>
  api.ask(`/storage/v1/object/book-covers/${name}`, {
    method,
    as: admin,
    body,
    headers: { "content-type": "image/jpeg" },
  });

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#a03020" } });

async function upload(name: string, content?: Uint8Array): Promise<void> {
  const response = await call(name, "POST", content ?? (await picture(900, 1200).jpeg().toBuffer()));
  expect(response.status).toBe(200);
}

const files = () => new ObjectFiles(join(api.dataDir, "objects"));
const countFiles = async () => (await readdir(join(api.dataDir, "objects"))).length;

/** What only another storage would have taken. */
async function store(name: string, content: Uint8Array): Promise<void> {
  const version = newVersion();
  await api.sql.query(
    "insert into storage.objects (bucket_id, name, version) values ('book-covers', $1, $2)",
    [name, version],
  );
  await files().write({ bucket: "book-covers", name, version }, content);
}

test("Every size is served in its format and shape, forever, and not sent twice", async () => {
  await upload("sizes.jpg");
  const { get } = openProcess();
  const tags = new Set<string>();
  for (const size of COVER_SIZES) {
    const response = await get(`sizes.jpg/${size}`);
    const [width, ending] = size.split(".");
    const format = ending === "jpg" ? "jpeg" : "webp";
    const content = await response.bytes();
    const etag = response.headers.get("etag") ?? "";
    tags.add(etag);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": `image/${format}`,
      "cache-control": "public, max-age=31536000, immutable",
      "content-length": String(content.length),
      vary: "Save-Data",
      etag,
    });
    expect(await sharp(content).metadata()).toMatchObject({
      format,
      width: Number(width),
      height: Math.round((Number(width) * 4) / 3),
    });
    for (const cached of [etag, `"other", W/${etag}`]) {
      const unchanged = await get(`sizes.jpg/${size}`, { "if-none-match": cached });
      expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
    }
  }
  expect(tags.size).toBe(COVER_SIZES.length);
});

test("An event's picture is served in sizes of its own, 3:2, which are deleted with it", async () => {
  const name = "event-picture-1764200000000.jpg";
  const before = await countFiles();
  await upload(name, await picture(1200, 900).jpeg().toBuffer());
  const { get } = openProcess();
  for (const width of EVENT_PICTURE_WIDTHS) {
    const response = await get(`${name}/${width}.webp`);
    const { format, height } = await sharp(await response.bytes()).metadata();
    expect([format, height]).toEqual(["webp", Math.round((width * 2) / 3)]);
  }
  const preview = await sharp(await (await get(`${name}/${EVENT_PREVIEW_SIZE}`)).bytes()).metadata();
  expect([preview.format, preview.width, preview.height]).toEqual(["jpeg", 1200, 800]);
  const saving = await get(`${name}/1200.webp`, { "save-data": "on" });
  expect((await sharp(await saving.bytes()).metadata()).width).toBe(480);
  expect((await get(`${name}/300.webp`)).status).toBe(404);
  await upload("cover-beside.jpg");
  expect((await get("cover-beside.jpg/1200.webp")).status).toBe(404);
  expect((await call("cover-beside.jpg", "DELETE")).status).toBe(200);
  expect(await countFiles()).toBe(before + 1 + EVENT_PICTURE_WIDTHS.length + 1);
  expect((await call(name, "DELETE")).status).toBe(200);
  expect(await countFiles()).toBe(before);
});

test("The widths that pages name are among the sizes", () => {
  expect(COVER_SIZES.filter((size) => size.endsWith("webp"))).toEqual(
    COVER_WIDTHS.map((width) => `${width}.webp`),
  );
});

test("A phone's photo is turned upright, a small picture is not enlarged, and any shape is cut to 3:4", async () => {
  const { get } = openProcess();
  const dimensions = async (name: string, content: Uint8Array) => {
    await upload(name, content);
    const { width, height, orientation } = await sharp(
      await (await get(`${name}/300.webp`)).bytes(),
    ).metadata();
    return [width, height, orientation];
  };
  const turned = await picture(1200, 900).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect(await dimensions("turned.jpg", turned)).toEqual([300, 400, undefined]);
  expect(await dimensions("wide.jpg", await picture(2000, 500).jpeg().toBuffer())).toEqual([
    300,
    400,
    undefined,
  ]);
  expect(await dimensions("tiny.jpg", await picture(90, 120).jpeg().toBuffer())).toEqual([
    90,
    120,
    undefined,
  ]);
});

test("A size is made once for 100 requests at the same moment, and for other processes afterwards", async () => {
  await upload("once.jpg");
  const [one, other] = [openProcess(), openProcess()];
  const responses = await Promise.all(Array.from({ length: 100 }, () => one.get("once.jpg/300.webp")));
  const contents = await Promise.all(responses.map((response) => response.bytes()));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(contents.map((content) => Buffer.from(content).toString("base64"))).size).toBe(1);
  expect((await other.get("once.jpg/300.webp")).status).toBe(200);
  expect([one.made, other.made]).toEqual([["300.webp"], []]);
});

test("A browser that saves data gets the smallest picture, which no shared cache may store", async () => {
  await upload("saving.jpg");
  const { get } = openProcess();
  const saving = await get("saving.jpg/600.webp", { "save-data": "on" });
  expect(saving.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
  expect((await sharp(await saving.bytes()).metadata()).width).toBe(160);
  const preview = await get("saving.jpg/600.jpg", { "save-data": "on" });
  expect((await sharp(await preview.bytes()).metadata()).width).toBe(600);
});

/** A picture whose header claims a size. */
async function claiming(side: number): Promise<Buffer> {
  const jpeg = await picture(30, 40).jpeg().toBuffer();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(side, frame + 5);
  jpeg.writeUInt16BE(side, frame + 7);
  return jpeg;
}

async function cutShort(): Promise<Buffer> {
  const noisy = await sharp({
    create: {
      width: 300,
      height: 400,
      channels: 3,
      background: "grey",
      noise: { type: "gaussian", mean: 128, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();
  return noisy.subarray(0, noisy.length / 2);
}

test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
  ["with no picture inside", () => jpegOf("no picture")],
  ["of nothing", () => new Uint8Array()],
  ["cut short", cutShort],
  ["of 30,000 × 30,000 pixels", () => claiming(30_000)],
  ["that is a PNG", () => picture(30, 40).png().toBuffer()],
  ["that is an SVG", () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
])(
  "A file %s is not found, costs one line in the log, and is tried once by all processes",
  async (what, make) => {
    const name = `${what.replaceAll(/\W+/g, "-")}.jpg`;
    await store(name, await make());
    const [one, other] = [openProcess(), openProcess()];
    for (const { get } of [one, one, other]) {
      const response = await get(`${name}/300.webp`);
      expect([response.status, response.headers.get("cache-control")]).toEqual([404, "public, max-age=60"]);
    }
    expect(one.lines).toEqual([expect.stringContaining(`A cover can't be shown {"cover":"${name}"`)]);
    expect([one.made.length <= 1, other.made, other.lines]).toEqual([true, [], []]);
  },
);

test.each([
  "not-there.jpg/300.webp",
  "here.jpg/301.webp",
  "here.jpg/300.png",
  "here.jpg/",
  "/300.webp",
  "here.jpg",
])("Nothing is made for %s", async (path) => {
  await call("here.jpg", "POST", await picture(300, 400).jpeg().toBuffer());
  const { get, made, lines } = openProcess();
  expect((await get(path)).status).toBe(404);
  expect([made, lines]).toEqual([[], []]);
});

test.each(["%ff", "a%00.jpg", "..%2f..%2fsecrets.json", "'; drop table books; --", "x".repeat(3_000)])(
  "The name %j is not found",
  async (name) => {
    expect((await openProcess().get(`${name}/300.webp`)).status).toBe(404);
  },
);

test("A cover's sizes are deleted with it, and those of no cover by the daily cleaning", async () => {
  const { get } = openProcess();
  const before = await countFiles();
  await upload("deleted.jpg");
  for (const size of COVER_SIZES) await get(`deleted.jpg/${size}`);
  expect(await countFiles()).toBe(before + 1 + COVER_SIZES.length);
  expect((await call("deleted.jpg", "DELETE")).status).toBe(200);
  expect(await countFiles()).toBe(before);
  expect((await get("deleted.jpg/300.webp")).status).toBe(404);

  const late = { bucket: "book-covers", name: "deleted.jpg", version: newVersion(), size: "300.webp" };
  await files().write(late, Buffer.from("made too late"));
  const tomorrow = Date.now() + 25 * 60 * 60 * 1000;
  await tidyFiles(api.sql, {
    removeOrphans: (list) => files().removeOrphans(list, tomorrow),
  } as ObjectFiles);
  expect(await countFiles()).toBe(before);
});

test("A cover that is replaced has new sizes and another tag", async () => {
  await upload("replaced.jpg");
  const { get, made } = openProcess();
  const first = await get("replaced.jpg/300.webp");
  const other = await picture(900, 1200).tint("blue").jpeg().toBuffer();
  expect((await call("replaced.jpg", "PUT", other)).status).toBe(200);
  const second = await get("replaced.jpg/300.webp", { "if-none-match": first.headers.get("etag") ?? "" });
  expect(second.status).toBe(200);
  expect(await second.bytes()).not.toEqual(await first.bytes());
  expect(made).toHaveLength(2);
});

test("What fails without being the file's fault is tried again ten minutes later", async () => {
  await upload("crashing.jpg");
  let time = 0;
  let fate: MadePicture = { type: "failed", reason: "the process that makes it ended (SIGSEGV)" };
  const { get, made, lines } = openProcess(
    async () => fate,
    () => time,
  );
  expect((await get("crashing.jpg/300.webp")).status).toBe(404);
  fate = { type: "made", content: new Uint8Array([1]) };
  time = 599_999;
  expect((await get("crashing.jpg/300.webp")).status).toBe(404);
  expect([made.length, lines.length]).toEqual([1, 1]);
  time = 600_000;
  expect((await get("crashing.jpg/300.webp")).status).toBe(200);
});

test("While originals can't be read, requests are told to come back, with one line in the log", async () => {
  await upload("unread.jpg");
  let time = 0;
  const { made, lines, get } = openProcess(realMaker, () => time, {
    read: () => Promise.reject({ code: "ECONNRESET" }),
  });
  for (const at of [0, 4_999, 5_000]) {
    time = at;
    const response = await get("unread.jpg/300.webp");
    expect([response.status, response.headers.get("cache-control")]).toEqual([503, "no-store"]);
  }
  expect([made, lines]).toEqual([[], ['Covers can\'t be read now {"reason":"ECONNRESET"}']]);
});

test("Without sharp, browsers get the original", async () => {
  await upload("whole.jpg");
  const { get, lines } = openProcess(async () => ({ type: "unavailable" }));
  for (const size of ["300.webp", "600.webp"]) {
    const response = await get(`whole.jpg/${size}`);
    expect([response.status, response.headers.get("location")]).toEqual([302, "/original/whole.jpg"]);
  }
  expect(lines).toHaveLength(1);
});

test("A size that can't be stored is served all the same, with one line in the log", async () => {
  await upload("unstored.jpg");
  const { get, lines } = openProcess(realMaker, Date.now, {
    writeSize: () => Promise.reject({ code: "ENOSPC" }),
  });
  for (let turn = 0; turn < 2; turn += 1) expect((await get("unstored.jpg/160.webp")).status).toBe(200);
  expect(lines).toEqual(['Small covers can\'t be stored now {"code":"ENOSPC"}']);
});
