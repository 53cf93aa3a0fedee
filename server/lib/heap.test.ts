import { expect, test } from "vitest";
import { Heap } from "./heap.ts";

/** Each number below 7,919 once, in no apparent order. */
const mixed = (n: number) => (n * 3_571 + 17) % 7_919;

type Item = { value: number };

/** A heap that counts its comparisons. */
function counting() {
  let compared = 0;
  const heap = new Heap<Item>((one, other) => {
    compared += 1;
    return one.value < other.value;
  });
  return { heap, compared: () => compared };
}

function takeAll(heap: Heap<Item>): number[] {
  const values: number[] = [];
  for (let { first } = heap; first; { first } = heap) {
    values.push(first.value);
    heap.remove(first);
  }
  return values;
}

test("Items come out in order, whatever is added and removed before", () => {
  for (let round = 0; round < 200; round += 1) {
    const { heap } = counting();
    const items = Array.from({ length: round }, (_, n) => ({ value: mixed(n) % 50 }));
    for (const item of items) heap.add(item);
    const [removed, left] = [items.filter((_, n) => n % 3 === 0), items.filter((_, n) => n % 3 !== 0)];
    for (const item of removed) heap.remove(item);
    // It is no longer there.
    for (const item of removed) heap.remove(item);
    expect(takeAll(heap)).toEqual(left.map(({ value }) => value).sort((one, other) => one - other));
  }
});

test("Adding and removing an item among 5,000 takes logarithmic time", () => {
  const { heap, compared } = counting();
  const items = Array.from({ length: 5_000 }, (_, n) => ({ value: mixed(n) }));
  for (const item of items) heap.add(item);
  for (const item of items) heap.remove(item);
  expect(heap.first).toBeUndefined();
  // At most twice the heap's height per operation.
  expect(compared()).toBeLessThan(5_000 * 2 * 2 * Math.log2(5_000));
});
