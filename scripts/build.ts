import { buildIfChanged } from "#server/web/build.ts";

/* Builds the pages, as a start would: for an image, so that its first start need not. */
await buildIfChanged();
