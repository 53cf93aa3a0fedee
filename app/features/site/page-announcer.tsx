import { useRef, useState } from "react";
import { useOnLocation } from "#app/lib/react/use-on-location.ts";

/** Announces the new page's title to screen readers after a client-side navigation. */
export function PageAnnouncer() {
  const [title, setTitle] = useState("");
  const announced = useRef<string | null>(null);

  useOnLocation(({ pathname }) => {
    // The browser itself announces the first page.
    if (announced.current !== null && announced.current !== pathname) setTitle(document.title);
    announced.current = pathname;
  });

  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
