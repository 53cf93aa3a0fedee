/** Draws the cloths of generated covers into one file: `npm run draw -- cloth`. */
import { writeFile } from "node:fs/promises";
import { clothFile } from "./cloth-parts.ts";

await writeFile("app/features/book-covers/cloth.svg", clothFile());
