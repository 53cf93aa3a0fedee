import type { PictureSource } from "#app/components/picture.tsx";

/** Written by `npm run draw -- pictures` from workshop/pictures/about: change it there. */

/** The shop's story in nine pictures, in their order. */
export const aboutPictures: readonly PictureSource[] = [
  {
    src: "/pictures/about/first-table-7547-800.webp",
    srcSet:
      "/pictures/about/first-table-7547-480.avif 480w, /pictures/about/first-table-7547-800.avif 800w, /pictures/about/first-table-7547-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "How it began: one table of books under an umbrella by the road, and a man reading behind it.",
  },
  {
    src: "/pictures/about/listening-e292-800.webp",
    srcSet:
      "/pictures/about/listening-e292-480.avif 480w, /pictures/about/listening-e292-800.avif 800w, /pictures/about/listening-e292-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A head teacher and a bookseller go through a book list together at a round table.",
  },
  {
    src: "/pictures/about/shop-front-30e7-800.webp",
    srcSet:
      "/pictures/about/shop-front-30e7-480.avif 480w, /pictures/about/shop-front-30e7-800.avif 800w, /pictures/about/shop-front-30e7-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "The first shop: a green front with a striped awning and two windows full of books.",
  },
  {
    src: "/pictures/about/six-publishers-d202-800.webp",
    srcSet:
      "/pictures/about/six-publishers-d202-480.avif 480w, /pictures/about/six-publishers-d202-800.avif 800w, /pictures/about/six-publishers-d202-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "Six stacks of books, each in its own colours, on six plinths of woven cloth.",
  },
  {
    src: "/pictures/about/stockroom-45b6-800.webp",
    srcSet:
      "/pictures/about/stockroom-45b6-480.avif 480w, /pictures/about/stockroom-45b6-800.avif 800w, /pictures/about/stockroom-45b6-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "The stockroom: class sets in rows, labelled boxes, and a woman with a list beside a loaded trolley.",
  },
  {
    src: "/pictures/about/bridge-81d5-800.webp",
    srcSet:
      "/pictures/about/bridge-81d5-480.avif 480w, /pictures/about/bridge-81d5-800.avif 800w, /pictures/about/bridge-81d5-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "The shop's van crosses an arched bridge over the Volta at sunset; a canoe passes below.",
  },
  {
    src: "/pictures/about/library-7146-800.webp",
    srcSet:
      "/pictures/about/library-7146-480.avif 480w, /pictures/about/library-7146-800.avif 800w, /pictures/about/library-7146-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A new school library: one pupil fills the top shelf from a ladder while two others read on the floor.",
  },
  {
    src: "/pictures/about/workshop-7452-800.webp",
    srcSet:
      "/pictures/about/workshop-7452-480.avif 480w, /pictures/about/workshop-7452-800.avif 800w, /pictures/about/workshop-7452-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A teachers' workshop seen from above: eight people round a long table covered with books and notes.",
  },
  {
    src: "/pictures/about/steps-d439-800.webp",
    srcSet:
      "/pictures/about/steps-d439-480.avif 480w, /pictures/about/steps-d439-800.avif 800w, /pictures/about/steps-d439-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "Pupils climb a stair of giant books towards a rising sun.",
  },
];
