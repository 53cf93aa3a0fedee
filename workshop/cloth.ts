/** Draws the cloths of generated covers into one file, and writes their colours: `npm run draw -- cloth`. */
import { writeFile } from "node:fs/promises";
import { clothFile, coloursFile } from "./cloth-parts.ts";

await writeFile("app/features/book-covers/cloth.svg", clothFile());
await writeFile("app/styles/cover-colours.css", coloursFile());
