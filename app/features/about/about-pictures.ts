import type { PictureSource } from "#app/components/picture.tsx";

/** Written by `npm run pictures` from workshop/pictures/about: change it there. */

/** The shop's story in nine pictures, in their order. */
export const aboutPictures: readonly PictureSource[] = [
  {
    src: "/pictures/about/first-table-7547f2ef-800.webp",
    srcSet:
      "/pictures/about/first-table-7547f2ef-480.avif 480w, /pictures/about/first-table-7547f2ef-800.avif 800w, /pictures/about/first-table-7547f2ef-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "How it began: one table of books under an umbrella by the road, and a man reading behind it.",
  },
  {
    src: "/pictures/about/listening-e292127d-800.webp",
    srcSet:
      "/pictures/about/listening-e292127d-480.avif 480w, /pictures/about/listening-e292127d-800.avif 800w, /pictures/about/listening-e292127d-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A head teacher and a bookseller go through a book list together at a round table.",
  },
  {
    src: "/pictures/about/shop-front-30e76166-800.webp",
    srcSet:
      "/pictures/about/shop-front-30e76166-480.avif 480w, /pictures/about/shop-front-30e76166-800.avif 800w, /pictures/about/shop-front-30e76166-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "The first shop: a green front with a striped awning and two windows full of books.",
  },
  {
    src: "/pictures/about/six-publishers-d202518c-800.webp",
    srcSet:
      "/pictures/about/six-publishers-d202518c-480.avif 480w, /pictures/about/six-publishers-d202518c-800.avif 800w, /pictures/about/six-publishers-d202518c-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "Six stacks of books, each in its own colours, on six plinths of woven cloth.",
  },
  {
    src: "/pictures/about/stockroom-45b611de-800.webp",
    srcSet:
      "/pictures/about/stockroom-45b611de-480.avif 480w, /pictures/about/stockroom-45b611de-800.avif 800w, /pictures/about/stockroom-45b611de-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "The stockroom: class sets in rows, labelled boxes, and a woman with a list beside a loaded trolley.",
  },
  {
    src: "/pictures/about/bridge-81d5a212-800.webp",
    srcSet:
      "/pictures/about/bridge-81d5a212-480.avif 480w, /pictures/about/bridge-81d5a212-800.avif 800w, /pictures/about/bridge-81d5a212-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "The shop's van crosses an arched bridge over the Volta at sunset; a canoe passes below.",
  },
  {
    src: "/pictures/about/library-7146a134-800.webp",
    srcSet:
      "/pictures/about/library-7146a134-480.avif 480w, /pictures/about/library-7146a134-800.avif 800w, /pictures/about/library-7146a134-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A new school library: one pupil fills the top shelf from a ladder while two others read on the floor.",
  },
  {
    src: "/pictures/about/workshop-74522357-800.webp",
    srcSet:
      "/pictures/about/workshop-74522357-480.avif 480w, /pictures/about/workshop-74522357-800.avif 800w, /pictures/about/workshop-74522357-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A teachers' workshop seen from above: eight people round a long table covered with books and notes.",
  },
  {
    src: "/pictures/about/steps-d4390715-800.webp",
    srcSet:
      "/pictures/about/steps-d4390715-480.avif 480w, /pictures/about/steps-d4390715-800.avif 800w, /pictures/about/steps-d4390715-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "Pupils climb a stair of giant books towards a rising sun.",
  },
];
