/** A binary heap whose items can be removed from anywhere: every operation takes logarithmic time. */
export class Heap<Item> {
  readonly #isBefore: (one: Item, other: Item) => boolean;
  readonly #items: Item[] = [];
  readonly #indexes = new Map<Item, number>();

  constructor(isBefore: (one: Item, other: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  get first(): Item | undefined {
    return this.#items[0];
  }

  get size(): number {
    return this.#items.length;
  }

  /** The item's position in the order must not change until it is removed. */
  add(item: Item): void {
    this.#items.push(item);
    this.#rise(this.#items.length - 1, item);
  }

  remove(item: Item): void {
    const index = this.#indexes.get(item);
    if (index === undefined) return;
    this.#indexes.delete(item);
    const last = this.#items.pop() as Item;
    if (last === item) return;
    this.#rise(index, last);
    this.#sink(this.#indexes.get(last) as number, last);
  }

  #put(index: number, item: Item): void {
    this.#items[index] = item;
    this.#indexes.set(item, index);
  }

  #rise(from: number, item: Item): void {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = this.#items[above] as Item;
      if (!this.#isBefore(item, parent)) break;
      this.#put(index, parent);
      index = above;
    }
    this.#put(index, item);
  }

  #sink(from: number, item: Item): void {
    let index = from;
    for (;;) {
      let below = 2 * index + 1;
      const [left, right] = [this.#items[below], this.#items[below + 1]];
      if (left === undefined) break;
      if (right !== undefined && this.#isBefore(right, left)) below += 1;
      const child = this.#items[below] as Item;
      if (!this.#isBefore(child, item)) break;
      this.#put(index, child);
      index = below;
    }
    this.#put(index, item);
  }
}
