import { lazy } from "react";
import { privateHead } from "#app/features/site/head.ts";

export const meta = () => privateHead("Books | Admin Panel");

/** Downloaded only once the role is known (decision 12). */
export default lazy(async () => ({
  default: (await import("#app/office/catalogue/books/books-page.tsx")).BooksPage,
}));
