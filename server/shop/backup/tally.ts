import { createHash } from "node:crypto";

/** How many rows a table has, and a checksum of them that does not depend on their order. */
export type Tally = { rows: number; checksum: string };

/** Counts rows and adds up their hashes: rows have keys, so no two are equal and none can cancel out another. */
export class RowTally {
  #rows = 0;
  readonly #sum = Buffer.alloc(32);

  add(row: string): void {
    this.#rows += 1;
    const digest = createHash("sha256").update(row).digest();
    for (let at = 0; at < digest.length; at += 1) {
      this.#sum[at] = (this.#sum[at] as number) ^ (digest[at] as number);
    }
  }

  result(): Tally {
    return { rows: this.#rows, checksum: this.#sum.toString("hex") };
  }
}
