import { useSyncExternalStore } from "react";
import { Link } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { listStoredPages } from "#app/features/offline/list-stored-pages.ts";
import { pageHead } from "#app/features/site/head.ts";
import { isOwnPath } from "#app/lib/pages/own-path.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import type { Route } from "./+types/offline.ts";

const never = () => () => {};

/** The page that was requested: only this site's own path, whatever a link says. */
function askedPath(): string {
  const path = window.location.hash.slice(1);
  return isOwnPath(path) ? path : "/";
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: "You're offline",
    description: "What you can read without a connection.",
    path: "/offline",
    index: false,
  });

/** Stored by the service worker, and shown for any page that isn't stored. */
export default function Offline() {
  const requested = useSyncExternalStore(never, askedPath, () => "/");
  const { result: pages = [] } = useRead("stored pages", listStoredPages);
  return (
    <div className="page pt-8 pb-16 sm:pt-12">
      <h1 className="mb-4 text-32 sm:text-42">This page hasn't loaded</h1>
      <p className="measure mb-6">
        We can't reach the shop right now. Check your connection and try again. Nothing in your cart is lost.
      </p>
      {/* A new document: the router may have nothing to show either. */}
      <a href={requested} className={buttonClass()}>
        Try Again
      </a>
      {pages.length > 0 && (
        <section aria-labelledby="stored" className="mt-12">
          <h2 id="stored" className="mb-3 text-20 sm:text-25">
            Pages you can read now
          </h2>
          <ul className="border-t border-line">
            {pages.map(({ path, title }) => (
              <li key={path} className="border-b border-line">
                <Link
                  to={path}
                  reloadDocument
                  className="flex min-h-11 items-center py-2 text-green underline"
                >
                  <span className="wrap-anywhere">{title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
