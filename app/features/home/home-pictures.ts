import type { PictureSource } from "#app/components/picture.tsx";

/** Written by `npm run draw -- pictures` from workshop/pictures/home and workshop/pictures/hero: change it there. */

/** The shop itself, for the top of the home page. */
export const heroPicture: PictureSource = {
  src: "/pictures/hero/shop-293c-800.webp",
  srcSet:
    "/pictures/hero/shop-293c-480.avif 480w, /pictures/hero/shop-293c-800.avif 800w, /pictures/hero/shop-293c-1200.avif 1200w",
  width: 1200,
  height: 960,
  alt: "Lamplight over arched bookshelves and a counter with woven cloth, a globe and stacks of school books.",
};

/** The carousel's sixteen pictures, in their order. */
export const homePictures: readonly PictureSource[] = [
  {
    src: "/pictures/home/shelves-aa8b-800.webp",
    srcSet:
      "/pictures/home/shelves-aa8b-480.avif 480w, /pictures/home/shelves-aa8b-800.avif 800w, /pictures/home/shelves-aa8b-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A bookseller in a headwrap takes a book from a wall of full shelves.",
  },
  {
    src: "/pictures/home/mathematics-0c47-800.webp",
    srcSet:
      "/pictures/home/mathematics-0c47-480.avif 480w, /pictures/home/mathematics-0c47-800.avif 800w, /pictures/home/mathematics-0c47-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "An oware board with its seeds beside a mathematics book, a ruler and a pencil.",
  },
  {
    src: "/pictures/home/reading-d7b2-800.webp",
    srcSet:
      "/pictures/home/reading-d7b2-480.avif 480w, /pictures/home/reading-d7b2-800.avif 800w, /pictures/home/reading-d7b2-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A girl reads at a desk in the light of a louvred window.",
  },
  {
    src: "/pictures/home/delivery-1936-800.webp",
    srcSet:
      "/pictures/home/delivery-1936-480.avif 480w, /pictures/home/delivery-1936-800.avif 800w, /pictures/home/delivery-1936-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A van with parcels of books on its roof drives through green hills at sunrise.",
  },
  {
    src: "/pictures/home/science-3323-800.webp",
    srcSet:
      "/pictures/home/science-3323-480.avif 480w, /pictures/home/science-3323-800.avif 800w, /pictures/home/science-3323-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A laboratory bench with a microscope, flasks, a seedling and a stack of science books.",
  },
  {
    src: "/pictures/home/sixteen-regions-225d-800.webp",
    srcSet:
      "/pictures/home/sixteen-regions-225d-480.avif 480w, /pictures/home/sixteen-regions-225d-800.avif 800w, /pictures/home/sixteen-regions-225d-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "Ghana as sixteen woven tiles, one for each region, joined by a golden thread that starts at the coast.",
  },
  {
    src: "/pictures/home/classroom-7eb1-800.webp",
    srcSet:
      "/pictures/home/classroom-7eb1-480.avif 480w, /pictures/home/classroom-7eb1-800.avif 800w, /pictures/home/classroom-7eb1-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A teacher explains fractions at the blackboard to a full class.",
  },
  {
    src: "/pictures/home/school-morning-8ba0-800.webp",
    srcSet:
      "/pictures/home/school-morning-8ba0-480.avif 480w, /pictures/home/school-morning-8ba0-800.avif 800w, /pictures/home/school-morning-8ba0-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "Pupils with satchels walk to their school under a great tree in the morning.",
  },
  {
    src: "/pictures/home/stationery-2796-800.webp",
    srcSet:
      "/pictures/home/stationery-2796-480.avif 480w, /pictures/home/stationery-2796-800.avif 800w, /pictures/home/stationery-2796-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "Pencils laid out like woven strips beside exercise books, a ruler, scissors and an eraser.",
  },
  {
    src: "/pictures/home/market-stall-1da9-800.webp",
    srcSet:
      "/pictures/home/market-stall-1da9-480.avif 480w, /pictures/home/market-stall-1da9-800.avif 800w, /pictures/home/market-stall-1da9-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A book stall under a striped market umbrella; a mother and her son choose a book.",
  },
  {
    src: "/pictures/home/stories-137e-800.webp",
    srcSet:
      "/pictures/home/stories-137e-480.avif 480w, /pictures/home/stories-137e-800.avif 800w, /pictures/home/stories-137e-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A village with a river, palms and a rising sun stands up out of the pages of an open book.",
  },
  {
    src: "/pictures/home/early-years-c31b-800.webp",
    srcSet:
      "/pictures/home/early-years-c31b-480.avif 480w, /pictures/home/early-years-c31b-800.avif 800w, /pictures/home/early-years-c31b-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A small child on a woven mat builds a tower of letter blocks beside a ring toy and picture books.",
  },
  {
    src: "/pictures/home/packing-a553-800.webp",
    srcSet:
      "/pictures/home/packing-a553-480.avif 480w, /pictures/home/packing-a553-800.avif 800w, /pictures/home/packing-a553-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "Two people pack class sets of books into parcels at a long table.",
  },
  {
    src: "/pictures/home/sharing-b019-800.webp",
    srcSet:
      "/pictures/home/sharing-b019-480.avif 480w, /pictures/home/sharing-b019-800.avif 800w, /pictures/home/sharing-b019-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A boy and a girl in school uniform share one book on a bench in the shade of a tree.",
  },
  {
    src: "/pictures/home/evening-study-bea7-800.webp",
    srcSet:
      "/pictures/home/evening-study-bea7-480.avif 480w, /pictures/home/evening-study-bea7-800.avif 800w, /pictures/home/evening-study-bea7-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A student revises under a lamp at night; a lighthouse shines over the sea outside.",
  },
  {
    src: "/pictures/home/story-circle-fe69-800.webp",
    srcSet:
      "/pictures/home/story-circle-fe69-480.avif 480w, /pictures/home/story-circle-fe69-800.avif 800w, /pictures/home/story-circle-fe69-1200.avif 1200w",
    width: 1200,
    height: 800,
    alt: "A teacher on a carved stool reads aloud to children who sit around her on the floor.",
  },
];
