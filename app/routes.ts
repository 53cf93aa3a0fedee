import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** Loads each page of the back office from the file that the last part of its id names. */
const adminPage = "routes/admin/page.tsx";

/** Every URL of the site: first the shop, then the back office. */
export default [
  layout("routes/shop/layout.tsx", [
    layout("routes/shop/page-area.tsx", [
      index("routes/shop/home.tsx"),
      route("about", "routes/shop/about.tsx"),
      route("shop", "routes/shop/shop.tsx"),
      route("auth", "routes/account/auth.tsx"),
      route("auth/reset", "routes/account/reset-password.tsx"),
      route("wishlist", "routes/account/wishlist.tsx"),
      route("checkout", "routes/account/checkout.tsx"),
      route("order-confirmation/:orderId", "routes/account/order-confirmation.tsx"),
      route("orders", "routes/account/orders.tsx"),
      route("orders/:orderId/receipt", "routes/account/receipt.tsx"),
      route("account", "routes/account/account.tsx"),
      route("quotes/:quoteId?", "routes/account/quotes.tsx"),
      route("contact", "routes/shop/contact.tsx"),
      route("search", "routes/shop/search.tsx"),
      route("bulk-order", "routes/shop/bulk-order.tsx"),
      route("lists/:code?", "routes/shop/booklists.tsx"),
      route("lists/:code/poster", "routes/shop/booklist-poster.tsx"),
      route("guidance", "routes/shop/guidance.tsx"),
      route("events", "routes/shop/events.tsx"),
      route("offline", "routes/shop/offline.tsx"),
      route("products", "routes/shop/products.tsx"),
      route("products/cambridge", "routes/shop/cambridge.tsx"),
      route("products/:publisher", "routes/shop/publisher.tsx"),
      route("books/:bookId/:slug?", "routes/shop/book.tsx"),
      route("*", "routes/shop/not-found.tsx"),
    ]),
  ]),
  route("admin", "routes/admin/layout.tsx", [
    layout("routes/admin/page-area.tsx", [
      index(adminPage, { id: "admin/dashboard" }),
      route("users", adminPage, { id: "admin/users" }),
      route("books", adminPage, { id: "admin/books" }),
      route("books/import", adminPage, { id: "admin/books-import" }),
      route("orders/:orderId?/:paper?", adminPage, { id: "admin/orders" }),
      route("reviews", adminPage, { id: "admin/reviews" }),
      route("activity", adminPage, { id: "admin/activity" }),
      route("booklists", adminPage, { id: "admin/booklists" }),
      route("booklists/:booklistId", adminPage, { id: "admin/booklist" }),
      route("quotes/:quoteId?", adminPage, { id: "admin/quotes" }),
    ]),
  ]),
  route("robots.txt", "routes/machine/robots.ts"),
  route("sitemap.xml", "routes/machine/sitemap.ts"),
  route("suggestions", "routes/machine/suggestions.ts"),
  route("site.webmanifest", "routes/machine/web-manifest.ts"),
] satisfies RouteConfig;
