/** Written by `npm run draw -- pictures` from app/features/book-covers/cover-colours.ts: change the colours there. */

/** Previews of links to books with generated covers, by the `from` of their colours. */
export const linkPictures: Readonly<Record<string, string>> = {
  "#1a5f46": "/pictures/links/1a5f46-8814.png",
  "#9a381e": "/pictures/links/9a381e-a7dc.png",
  "#1f5c8b": "/pictures/links/1f5c8b-5955.png",
  "#31426f": "/pictures/links/31426f-70e0.png",
  "#10605f": "/pictures/links/10605f-2297.png",
  "#4c6218": "/pictures/links/4c6218-d200.png",
  "#70451f": "/pictures/links/70451f-5fea.png",
  "#735611": "/pictures/links/735611-de73.png",
  "#3f4e57": "/pictures/links/3f4e57-c2c5.png",
  "#6d2a3f": "/pictures/links/6d2a3f-4e92.png",
  "#28352f": "/pictures/links/28352f-9a55.png",
  "#1d5364": "/pictures/links/1d5364-5c87.png",
  "#7c3a2a": "/pictures/links/7c3a2a-f2d4.png",
  "#5b4a14": "/pictures/links/5b4a14-e143.png",
  "#34497a": "/pictures/links/34497a-e82e.png",
  "#86421a": "/pictures/links/86421a-14d0.png",
  "#2c5f50": "/pictures/links/2c5f50-3cf1.png",
  "#46514a": "/pictures/links/46514a-0e44.png",
};
