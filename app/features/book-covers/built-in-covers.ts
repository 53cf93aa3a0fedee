/** Written by `npm run draw -- pictures` from workshop/pictures/covers: change it there. */

export interface BuiltInCover {
  /** What the slug of the book's field must be; a title may also go on after it. */
  slug: string;
  of: "title" | "publisher" | "subject" | "course";
  /** Address without size and ending: `${file}-300.avif`. */
  file: string;
}

/** A hash of all covers, which ends the name of each file. */
const version = "bea6";

/** Their slugs by field: every page with books carries this list, and pays for each byte of it. */
const slugs: Record<BuiltInCover["of"], string> = {
  title:
    "big-cat-phonics-the-lost-drum big-cat-phonics-pat-it-tap-it big-cat-ananse-and-the-pot-of-wisdom big-cat-the-river-crossing reading-planet-the-kite-maker-of-keta reading-planet-rocket-phonics cambridge-reading-adventures-the-great-inventor cambridge-reading-adventures-turtle-is-a-hero cambridge-reading-adventures-sang-kancil cambridge-reading-adventures-the-mighty-mountain cambridge-reading-adventures-journey-to-callisto cambridge-early-years-lets-explore school-atlas-for-west-africa primary-atlas-of-the-world school-dictionary french-school-dictionary ks2-history-discover-learn-benin-kingdom ks2-geography-discover-learn-rivers primary-practice-history-ancient-africa early-science-living-things my-first-number-fun times-tables early-writing-skills skoldo-primary-french-songs-and-raps skoldo-primary-french-flashcards 11-verbal-reasoning exercise-books graph-books nursery-writing-books note-books-a4 a4-copy-paper drawing-books hb-pencils ballpoint-pens-blue ballpoint-pens-red white-board-markers chalk-white mathematical-set scientific-calculator abacus-100-beads wall-clock-for-learning globe-political wall-map-of-ghana periodic-table-wall-chart human-body-wall-charts simple-circuit-kit student-microscope crayons-24-colours water-colour-sets coloured-card-a4 safety-scissors glue-sticks",
  subject: "global-perspectives office-supplies",
  course: "stationery",
  publisher: "own-brand-art-craft",
};

export const builtInCovers: readonly BuiltInCover[] = Object.entries(slugs).flatMap(([of, list]) =>
  list.split(" ").map((slug) => ({
    slug,
    of: of as BuiltInCover["of"],
    file: `/pictures/covers/${slug}-${version}`,
  })),
);
