import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** The map of the site: every URL, the shop first, the back office second. */
export default [
  layout("routes/shop/layout.tsx", [
    index("routes/shop/home.tsx"),
    route("about", "routes/shop/about.tsx"),
    route("shop", "routes/shop/shop.tsx"),
    route("auth", "routes/account/auth.tsx"),
    route("auth/reset", "routes/account/reset-password.tsx"),
    route("wishlist", "routes/account/wishlist.tsx"),
    route("checkout", "routes/account/checkout.tsx"),
    route("order-confirmation/:orderId", "routes/account/order-confirmation.tsx"),
    route("orders", "routes/account/orders.tsx"),
    route("contact", "routes/shop/contact.tsx"),
    route("search", "routes/shop/search.tsx"),
    route("guidance", "routes/shop/guidance.tsx"),
    route("events", "routes/shop/events.tsx"),
    route("products", "routes/shop/products.tsx"),
    route("products/cambridge", "routes/shop/cambridge.tsx"),
    route("products/:publisher", "routes/shop/publisher.tsx"),
    route("*", "routes/shop/not-found.tsx"),
  ]),
  route("admin", "routes/admin/layout.tsx", [
    index("routes/admin/dashboard.tsx"),
    route("users", "routes/admin/users.tsx"),
    route("books", "routes/admin/books.tsx"),
    route("books/import", "routes/admin/books-import.tsx"),
    route("orders", "routes/admin/orders.tsx"),
    route("orders/:orderId/packing-list", "routes/admin/packing-list.tsx"),
    route("reviews", "routes/admin/reviews.tsx"),
    route("activity", "routes/admin/activity.tsx"),
  ]),
  route("robots.txt", "routes/machine/robots.ts"),
  route("sitemap.xml", "routes/machine/sitemap.ts"),
  route("site.webmanifest", "routes/machine/web-manifest.ts"),
] satisfies RouteConfig;
