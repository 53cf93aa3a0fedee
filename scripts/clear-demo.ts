import { countOf } from "#shared/text/count-of.ts";
import { CommandError, runCommand } from "./command.ts";
import { connectAsOwner } from "./owner-client.ts";

/*
 * npm run clear-demo [-- --yes]: removes the demo's books, publishers, booklists, reviewers and reviews, on every backend,
 * even while the shop runs. Without --yes it only lists what it would remove.
 */

type Cleared = {
  books: number;
  kept_books: number;
  reviews: number;
  reviewers: number;
  orders: number;
  open_orders: number;
  booklists: number;
  publishers: number;
  kept_publishers: number;
};

function describe(found: Cleared): string[] {
  const lines = [
    `${countOf(found.books, "demo book")}, ${countOf(found.publishers, "publisher")}, ${countOf(found.booklists, "booklist")}, ${countOf(found.reviews, "review")} and ${countOf(found.reviewers, "reviewer")}`,
  ];
  if (found.kept_books > 0)
    lines.push(
      `${countOf(found.kept_books, "demo book")} that you have changed: kept as your own, without demo reviews`,
    );
  if (found.kept_publishers > 0)
    lines.push(`${countOf(found.kept_publishers, "demo publisher")} that you have changed: kept as your own`);
  if (found.orders > 0)
    lines.push(
      `${countOf(found.orders, "order")} with demo books, ${found.open_orders} of them open: kept, with the titles as ordered`,
    );
  return lines;
}

const usage = "Usage: npm run clear-demo [-- --yes]";

await runCommand(usage, async (words) => {
  if (words.some((word) => word !== "--yes")) throw new CommandError(usage);
  const isMeant = words.length > 0;
  const { client, close } = await connectAsOwner(process.env);
  try {
    const { data, error } = await client.rpc("clear_demo", { _dry_run: !isMeant }).single<Cleared>();
    if (error) throw new CommandError(`The demo cannot be removed: ${error.message}`);
    if (data.books + data.kept_books + data.reviewers + data.booklists + data.publishers === 0) {
      console.log("This shop has no demo.");
      return;
    }
    const [removed, ...kept] = describe(data);
    console.log(
      [`${isMeant ? "Removed" : "This would remove"}: ${removed}.`, ...kept.map((line) => `${line}.`)].join(
        "\n",
      ),
    );
    if (!isMeant) console.log("Nothing has changed. To remove the demo: npm run clear-demo -- --yes");
  } finally {
    await close();
  }
});
