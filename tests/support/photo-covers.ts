import sharp, { type Sharp } from "sharp";
import { type Client, dataOf } from "./factories.ts";

/** What the cropper makes of a phone's photo. */
const width = 1080;
const height = 1440;

/** Each is drawn differently; as many as a page shows would take seconds to make. */
const MADE = 8;

/** Numbers from 0 to 1, the same for the same seed. Source: mulberry32. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const noise = (sigma: number, grain: number): Promise<Buffer> =>
  sharp({
    create: {
      width: width / grain,
      height: height / grain,
      channels: 3,
      background: "grey",
      noise: { type: "gaussian", mean: 128, sigma },
    },
  })
    .resize(width, height)
    .png({ compressionLevel: 1 })
    .toBuffer();

let textures: Promise<Buffer[]> | undefined;

/** Gradient and shapes under a rough and a fine noise: as JPEG of quality 0.9 about 230 kB, as a photographed cover. */
export async function photoCover(number: number): Promise<Buffer<ArrayBuffer>> {
  const next = numbersFrom(number * 7_919 + 1);
  const upTo = (limit: number) => Math.floor(next() * limit);
  const colour = () => `hsl(${upTo(360)} ${30 + upTo(50)}% ${25 + upTo(50)}%)`;
  const shapes = Array.from({ length: 40 }, () => {
    const size = 20 + upTo(200);
    return `<ellipse cx="${upTo(width)}" cy="${upTo(height)}" rx="${size}" ry="${size * (0.3 + next())}" transform="rotate(${upTo(90)})" fill="${colour()}" opacity="${0.3 + next() * 0.6}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour()}"/><stop offset="1" stop-color="${colour()}"/></linearGradient><rect width="100%" height="100%" fill="url(#g)"/>${shapes.join("")}</svg>`;
  textures ??= Promise.all([noise(24, 8), noise(5, 1)]);
  const layers = (await textures).map((input) => ({ input, blend: "soft-light" as const }));
  const photo: Sharp = sharp(Buffer.from(svg)).composite(layers).jpeg({ quality: 90 });
  return Buffer.from(await photo.toBuffer());
}

/** Uploads covers as the form does. @returns their public URLs */
export async function uploadCovers(admin: Client, count: number): Promise<string[]> {
  const photos: Buffer<ArrayBuffer>[] = [];
  for (let number = 0; number < Math.min(count, MADE); number += 1) photos.push(await photoCover(number));
  const bucket = admin.storage.from("book-covers");
  const urls: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const photo = new Blob([photos[number % MADE] ?? ""], { type: "image/jpeg" });
    const path = `book-cover-${Date.now()}${number}.jpg`;
    const { error } = await bucket.upload(path, photo, { cacheControl: "3600", upsert: false });
    if (error) throw error;
    urls.push(bucket.getPublicUrl(path).data.publicUrl);
  }
  return urls;
}

/** As many as a page of books shows. */
const PAGE = 24;
/** Ids of one update, which its URL has to hold. */
const IDS = 200;

/** Gives every book of the shop an uploaded cover: any 24 that follow each other by title have different ones. */
export async function coverEveryBook(admin: Client): Promise<void> {
  const urls = await uploadCovers(admin, PAGE);
  const ids: string[] = [];
  for (let from = 0; ; from += 1_000) {
    const books = await dataOf(
      admin
        .from("books")
        .select("id")
        .order("title")
        .order("id")
        .range(from, from + 999),
    );
    ids.push(...books.map(({ id }) => id));
    if (books.length < 1_000) break;
  }
  for (const [number, image_url] of urls.entries()) {
    const own = ids.filter((_, position) => position % PAGE === number);
    for (let from = 0; from < own.length; from += IDS)
      await dataOf(
        admin
          .from("books")
          .update({ image_url })
          .in("id", own.slice(from, from + IDS))
          .select("id"),
      );
  }
}
