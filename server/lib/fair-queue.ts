import { Heap } from "./heap.ts";

export type Queued = {
  /** The time that this client has used in the queue: its start tag, see below. */
  used: number;
  /** The number of its oldest waiting request; requests are numbered as they arrive. */
  oldest: number;
};

/** One turn in this many goes to the oldest request. */
const agedTurn = 4;

/**
 * Decides whose turn it is: the client that has used the least time (start-time fair queueing; Goyal, Vin and Cheng
 * 1996). Every fourth turn goes to the oldest request, so that many people who count as one client, such as a school, are
 * all served, and slow others down by at most a third.
 */
export class FairQueue<Item extends Queued> {
  /** The start tag of the last turn. A new client starts there, however much time others have used before. */
  #now = 0;
  #turns = 0;
  readonly #byUse = new Heap<Item>(
    (one, other) => one.used < other.used || (one.used === other.used && one.oldest < other.oldest),
  );
  readonly #byAge = new Heap<Item>((one, other) => one.oldest < other.oldest);

  get #isAged(): boolean {
    return this.#turns === agedTurn - 1;
  }

  get first(): Item | undefined {
    return (this.#isAged ? this.#byAge : this.#byUse).first;
  }

  /** @param from the queue that has counted its time so far */
  add(item: Item, from: FairQueue<Item> = this): void {
    item.used = this.#now + Math.max(0, item.used - from.#now);
    this.#byUse.add(item);
    this.#byAge.add(item);
  }

  remove(item: Item): void {
    this.#byUse.remove(item);
    this.#byAge.remove(item);
  }

  /** Removes and returns the client whose turn it is. */
  take(): Item | undefined {
    const item = this.first;
    if (!item) return undefined;
    this.remove(item);
    if (!this.#isAged) this.#now = Math.max(this.#now, item.used);
    this.#turns = (this.#turns + 1) % agedTurn;
    return item;
  }
}
