import { expect, test } from "vitest";
import { homePictures } from "./home-pictures.ts";
import { pictureLinks, pictureName } from "./picture-links.ts";

const facet = (name: "subject" | "course", value: string) => ({ facet: name, value, books: 1 });

test("Pictures link to the books they show, if the catalogue has them", () => {
  const links = pictureLinks([facet("subject", "Mathematics"), facet("course", "English")]);
  expect(links).toEqual({
    shelves: { label: "All books", to: "/shop" },
    classroom: { label: "Help with choosing", to: "/guidance" },
    mathematics: { label: "Mathematics", to: "/shop?subject=Mathematics" },
  });
});

test("Every link belongs to one of the sixteen pictures", () => {
  const names = homePictures.map(({ src }) => pictureName(src));
  expect(new Set(names).size).toBe(16);
  const all = ["Mathematics", "English", "Science"].map((value) => facet("subject", value));
  const courses = ["Stationery", "Early Years", "Cambridge AS & A Level"].map((value) =>
    facet("course", value),
  );
  expect(names).toEqual(expect.arrayContaining(Object.keys(pictureLinks([...all, ...courses]))));
  expect(Object.keys(pictureLinks([...all, ...courses]))).toHaveLength(8);
});
