import { buildIfChanged } from "#server/build.ts";

/* Builds the pages, as a start would: for an image, whose first start should not. */
await buildIfChanged();
