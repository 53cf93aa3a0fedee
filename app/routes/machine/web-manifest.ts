import { currentShop } from "#app/lib/pages/current-shop.ts";

/** Lets a phone add the shop to its home screen. */
export function loader() {
  const shop = currentShop();
  const manifest = {
    name: shop.name,
    short_name: shop.name,
    description: shop.tagline,
    lang: "en-GB",
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#fbf8f1",
    theme_color: "#14503a",
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
  return Response.json(manifest, { headers: { "Content-Type": "application/manifest+json" } });
}
