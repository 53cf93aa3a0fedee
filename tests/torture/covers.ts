import { createHash, randomBytes } from "node:crypto";
import { jpegOf } from "#tests/support/jpeg.ts";
import type { Chance } from "./random.ts";
import type { Client } from "./shoppers.ts";

const bucket = "book-covers";

/** Covers by name: what was sent, and whether its upload was confirmed. */
export type Covers = Map<string, { hash: string; confirmed: boolean }>;

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What a storage answers with; nothing when there was no answer at all. */
type StorageFault = { message: string; status?: number };

const tooMany = 429;

/**
 * Uploads one cover after another until the shop does not answer.
 * @param faults gets what an admin should never see
 */
export async function keepUploading(
  admin: Client,
  covers: Covers,
  chance: Chance,
  faults: string[],
): Promise<void> {
  for (;;) {
    const name = `cover-${chance.uuid()}.jpg`;
    const bytes = jpegOf(randomBytes(chance.whole(20_000, 1_500_000)));
    const cover = { hash: hashOf(bytes), confirmed: false };
    covers.set(name, cover);
    const { error } = await admin.storage.from(bucket).upload(name, bytes, { contentType: "image/jpeg" });
    if (!error) cover.confirmed = true;
    else {
      const { message, status = 0 } = error as StorageFault;
      if (status > 0 && status < 500 && status !== tooMany)
        faults.push(`a cover was refused: ${status} ${message}`);
      return;
    }
  }
}

export const countConfirmed = (covers: Covers) =>
  [...covers.values()].filter(({ confirmed }) => confirmed).length;

/** What breaks the rule: a confirmed cover exists, any other one exists whole or not at all. */
export async function findBrokenCovers(url: string, covers: Covers): Promise<string[]> {
  const broken: string[] = [];
  for (const [name, { hash, confirmed }] of covers) {
    const response = await fetch(`${url}/storage/v1/object/public/${bucket}/${name}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status >= 500) broken.push(`the cover ${name} is answered with ${response.status}`);
    else if (response.ok && hashOf(bytes) !== hash) broken.push(`the cover ${name} is damaged`);
    else if (!response.ok && confirmed)
      broken.push(`the confirmed cover ${name} is gone (${response.status})`);
  }
  return broken;
}
