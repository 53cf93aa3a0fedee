/** Where the display face is served, for its preload link. Written by `npm run draw -- font`. */
export const displayFontUrl = "/fonts/display-381a28cb.woff2";
