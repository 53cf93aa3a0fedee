import { lazy } from "react";
import { useParams } from "react-router";
import { privateHead } from "#app/features/site/head.ts";
import { useRedirect } from "#app/lib/react/use-redirect.ts";
import type { Route } from "./+types/books.ts";

/** Downloaded only once the role is known (decision 12). One route, because each costs every visitor's first load some bytes. */
const views = {
  books: [
    "Books",
    lazy(async () => ({
      default: (await import("#app/office/catalogue/books/books-page.tsx")).BooksPage,
    })),
  ],
  import: [
    "Import Books",
    lazy(async () => ({
      default: (await import("#app/office/catalogue/import/import-page.tsx")).ImportPage,
    })),
  ],
  digital: [
    "Files and licence codes",
    lazy(async () => ({
      default: (await import("#app/office/catalogue/books/digital/digital-page.tsx")).DigitalPage,
    })),
  ],
} as const;

const viewOf = (view = "books") => (Object.hasOwn(views, view) ? views[view as keyof typeof views] : null);

export const meta = ({ params }: Route.MetaArgs) =>
  privateHead(`${(viewOf(params.view) ?? views.books)[0]} | Admin Panel`);

export default function Books() {
  const View = viewOf(useParams().view)?.[1];
  useRedirect(View ? null : "/admin/books");
  return View && <View />;
}
