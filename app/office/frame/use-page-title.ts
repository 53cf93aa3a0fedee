import { useEffect } from "react";
import { currentShop } from "#app/lib/pages/current-shop.ts";

/** Names the record that a page shows in the document's title, which its route can't know. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    const before = document.title;
    const title = `${name} | Admin Panel | ${currentShop().name}`;
    document.title = title;
    return () => {
      // The next page may have its own by now.
      if (document.title === title) document.title = before;
    };
  }, [name]);
}
