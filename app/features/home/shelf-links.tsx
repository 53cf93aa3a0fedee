import type { HomeShelf } from "./home-shelves.queries.ts";

/** Links from the top of the page straight to each shelf. */
export function ShelfLinks({ shelves }: { shelves: readonly HomeShelf[] }) {
  if (shelves.length === 0) return null;
  return (
    <nav aria-label="Shelves" className="border-b border-line">
      <ul className="page flex gap-x-6 overflow-x-auto text-15 whitespace-nowrap">
        {shelves.map(({ name, title }) => (
          <li key={name}>
            <a href={`#shelf-${name}`} className="shelf-link">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
