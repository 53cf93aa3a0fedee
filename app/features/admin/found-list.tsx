import type { ReactNode } from "react";

type FoundListProps<Item> = {
  label: string;
  items: readonly Item[];
  /** What the item is, to the left. */
  describe: (item: Item) => ReactNode;
  /** What can be done with it, to the right. */
  action: (item: Item) => ReactNode;
};

/** What a search box above has found; nothing when that is nothing. */
export function FoundList<Item extends { id: string }>({
  label,
  items,
  describe,
  action,
}: FoundListProps<Item>) {
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
