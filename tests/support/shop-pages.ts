/** Every public page of the storefront. */
export const shopPages = [
  "/",
  "/about",
  "/shop",
  "/contact",
  "/search",
  "/search?q=mathematics",
  "/bulk-order",
  "/lists",
  "/guidance",
  "/events",
  "/products",
  "/products/cambridge",
  "/products/hachette",
  "/products/schofield",
  "/products/skoldo",
  "/products/cgp",
  "/products/collins",
  "/delivery-and-returns",
  "/terms",
  "/privacy",
] as const;

/** The publisher pages with a fixed list, and the name that their links carry. */
export const listedPublishers = {
  hachette: "Hachette Learning",
  schofield: "Schofield & Sims",
  skoldo: "Skoldo",
  cgp: "CGP",
  collins: "Collins",
} as const;

/** Pages that send a visitor to the sign-in page. */
export const memberPages = ["/account", "/checkout", "/order-confirmation", "/orders", "/quotes"];
