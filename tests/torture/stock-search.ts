import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { Database } from "#tests/support/database.ts";
import { describeShop, openShop, perform } from "./stock-actions.ts";
import { type Action, apply, describeModel, type Model } from "./stock-oracle.ts";

/*
 * Looks for a sequence of requests after which stock or orders are not what the oracle says: random ones over books and
 * orders together, some of them two at the same time, for which either order is right.
 */

const number = fc.nat({ max: 5 });
const orderStep = fc.record({
  do: fc.constantFrom("set status", "set status", "return", "delete order", "restore order"),
  at: number,
  status: fc.constantFrom("pending", "processing", "shipped", "delivered", "cancelled", "cancelled"),
});
const bookStep = fc.record({
  do: fc.constantFrom("delete book", "restore book", "count stock", "import stock"),
  at: number,
  stock: number,
});
const placing = fc.record({
  do: fc.constant("place" as const),
  quantities: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
});
const changing = fc.record({
  do: fc.constant("change order" as const),
  at: number,
  quantities: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })),
});
const step = fc.oneof(
  placing,
  changing,
  { arbitrary: orderStep, weight: 3 },
  { arbitrary: bookStep, weight: 2 },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const sequence = fc.record({
  stocks: fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
  rounds: fc.array(
    fc.oneof({ arbitrary: fc.tuple(step), weight: 2 }, { arbitrary: fc.tuple(step, step), weight: 1 }),
    { minLength: 1, maxLength: 30, size: "max" },
  ),
});

/** What a step means now; null when there is nothing that it could be about. */
function decide(model: Model, step: Step, customer: number): Action | null {
  if (step.do === "place") {
    const lines = step.quantities
      .map((quantity, book) => ({ book, quantity }))
      .filter(({ book, quantity }) => quantity > 0 && !model.books[book]?.gone);
    return lines.length > 0 ? { do: "place", id: randomUUID(), customer, lines } : null;
  }
  if (step.do === "change order") {
    const ids = [...model.orders.keys()];
    const lines = step.quantities
      .map((quantity, book) => ({ book, quantity }))
      .filter(({ quantity }) => quantity > 0);
    const id = ids[step.at % Math.max(ids.length, 1)];
    return id && lines.length > 0 ? { do: step.do, id, lines } : null;
  }
  if ("status" in step) {
    const ids = [...model.orders.keys()];
    const id = ids[step.at % Math.max(ids.length, 1)];
    return id ? ({ do: step.do, id, status: step.status } as Action) : null;
  }
  const book = step.at % model.books.length;
  const { deletions = 0, gone = false } = model.books[book] ?? {};
  if (step.do === "restore book") return deletions > 0 ? { do: step.do, book, deletion: deletions } : null;
  // The file's row would be another book where this one was deleted.
  if (step.do === "import stock" && gone) return null;
  return { do: step.do, book, stock: step.stock } as Action;
}

const touchesShelf = (action: Action) => action.do === "delete book" || action.do === "restore book";

function decideRound(model: Model, steps: readonly Step[]): Action[] {
  const actions = steps.map((step, at) => decide(model, step, at)).filter((action) => action !== null);
  const isAmbiguous = actions.some((action) => action.do === "import stock") && actions.some(touchesShelf);
  return isAmbiguous ? actions.slice(0, 1) : actions;
}

/** All possible outcomes: one action after the other, in either order; or a change of an order after the other change of the same order. */
function possibilities(model: Model, actions: Action[]) {
  const orders = actions.length > 1 ? [actions, [...actions].reverse()] : [actions];
  const isLate = (action: Action, other: Action | undefined) =>
    action.do === "change order" && other !== undefined && "id" in other && other.id === action.id;
  const late = orders.filter(([first, second]) => second && isLate(second, first));
  return [
    ...orders.map((order) => ({ order, isRefused: false })),
    ...late.map((order) => ({ order, isRefused: true })),
  ].map(({ order, isRefused }) => {
    const after = structuredClone(model);
    const outcomes = new Map(
      order.map((action, place) => [
        action,
        isRefused && place === 1 ? "order_changed" : apply(after, action),
      ]),
    );
    return {
      after,
      seen: JSON.stringify([actions.map((action) => outcomes.get(action)), describeModel(after)]),
    };
  });
}

export type SearchFigures = {
  sequences: number;
  requests: number;
  pairs: number;
  outcomes: Record<string, number>;
};

/**
 * Runs this many sequences.
 * @throws Error with the shortest sequence that breaks a rule, and the seed that finds it again
 */
export async function searchStock(
  database: Database,
  options: { seed: number; sequences: number },
): Promise<SearchFigures> {
  const figures: SearchFigures = { sequences: 0, requests: 0, pairs: 0, outcomes: {} };
  const property = fc.asyncProperty(sequence, async ({ stocks, rounds }) => {
    const shop = await openShop(database, stocks);
    let model: Model = {
      books: stocks.map((stock) => ({ stock, gone: false, deletions: 0 })),
      orders: new Map(),
    };
    const story: string[] = [];
    for (const steps of rounds) {
      const actions = decideRound(model, steps);
      const outcomes = await perform(shop, actions);
      const found = JSON.stringify([outcomes, await describeShop(shop)]);
      const possible = possibilities(model, actions);
      story.push(actions.map((action, at) => `${JSON.stringify(action)}: ${outcomes[at]}`).join(" || "));
      const right = possible.find(({ seen }) => seen === found);
      if (!right)
        throw new Error(
          `${story.join("\n")}\nfound ${found}\nright ${possible.map(({ seen }) => seen).join("\n or   ")}`,
        );
      model = right.after;
      figures.requests += actions.length;
      if (actions.length > 1) figures.pairs += 1;
      actions.forEach((action, at) => {
        const outcome = `${action.do}: ${outcomes[at]}`;
        figures.outcomes[outcome] = (figures.outcomes[outcome] ?? 0) + 1;
      });
    }
    figures.sequences += 1;
  });
  await fc.assert(property, {
    seed: options.seed,
    numRuns: options.sequences,
    includeErrorInReport: true,
  });
  return figures;
}
