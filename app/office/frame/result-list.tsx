import type { ReactNode } from "react";

type ResultListProps<Item> = {
  label: string;
  items: readonly Item[];
  /** The item itself, on the left. */
  describe: (item: Item) => ReactNode;
  /** Its button or note, on the right. */
  action: (item: Item) => ReactNode;
};

/** The results of the search box above; renders nothing if there are none. */
export function ResultList<Item extends { id: string }>({
  label,
  items,
  describe,
  action,
}: ResultListProps<Item>) {
  if (items.length === 0) return null;
  return (
    <ul aria-label={label} className="mt-2 rounded-card border border-line">
      {items.map((item) => (
        <li
          key={item.id}
          className="flex items-center justify-between gap-4 border-t border-line px-3 py-1.5 first:border-t-0"
        >
          <span className="min-w-0 wrap-anywhere">{describe(item)}</span>
          {action(item)}
        </li>
      ))}
    </ul>
  );
}
