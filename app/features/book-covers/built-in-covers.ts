/** Written by `npm run pictures` from workshop/pictures/covers: change it there. */

export interface BuiltInCover {
  /** The slug that the book's field must have; a title may also continue after it. */
  slug: string;
  of: "title" | "publisher" | "subject" | "course";
  /** Address without size and ending: `${file}-300.avif`. */
  file: string;
}

/** Slug and hash of each, by field: every page with books carries this list, and pays for each byte of it. */
const slugs: Record<BuiltInCover["of"], string> = {
  title:
    "big-cat-phonics-the-lost-drum:3b0cd068 big-cat-phonics-pat-it-tap-it:2cb2bb91 big-cat-ananse-and-the-pot-of-wisdom:449aaf0c big-cat-the-river-crossing:66938ab5 reading-planet-the-kite-maker-of-keta:29b46752 reading-planet-rocket-phonics:31ab6e02 cambridge-reading-adventures-the-great-inventor:0ab7513b cambridge-reading-adventures-turtle-is-a-hero:9108a3f4 cambridge-reading-adventures-sang-kancil:7100ec73 cambridge-reading-adventures-the-mighty-mountain:aff1b651 cambridge-reading-adventures-journey-to-callisto:cf502638 cambridge-early-years-lets-explore:276b496a school-atlas-for-west-africa:6aca480d primary-atlas-of-the-world:88b02737 school-dictionary:81926b26 french-school-dictionary:200e127a ks2-history-discover-learn-benin-kingdom:74fb3684 ks2-geography-discover-learn-rivers:31e0a1a8 primary-practice-history-ancient-africa:42b883b8 early-science-living-things:8540891b my-first-number-fun:c4852d50 times-tables:9c1bfa99 early-writing-skills:da8d21c1 skoldo-primary-french-songs-and-raps:fbb34f79 skoldo-primary-french-flashcards:47b4f84b 11-verbal-reasoning:e6f68602 exercise-books:4bff10fe graph-books:ef8317bd nursery-writing-books:b1a9e0de note-books-a4:7a78ea8f a4-copy-paper:d080786e drawing-books:fdf8190e hb-pencils:c6c241fd ballpoint-pens-blue:53a22f69 ballpoint-pens-red:da80231e white-board-markers:bf9a7980 chalk-white:d10ab9e4 mathematical-set:4c8d92a4 scientific-calculator:3b0d6b63 abacus-100-beads:0953f022 wall-clock-for-learning:d0f6cdd8 globe-political:7ac07c0b wall-map-of-ghana:8f9ab1ae periodic-table-wall-chart:fb4162b7 human-body-wall-charts:2521d5ea simple-circuit-kit:b85dd47d student-microscope:79c1b456 crayons-24-colours:3523a77f water-colour-sets:c6a04538 coloured-card-a4:60eb4579 safety-scissors:bae3a1a8 glue-sticks:49ff2d46",
  subject: "global-perspectives:c0813d63 office-supplies:2651b946",
  course: "stationery:6df5a05b",
  publisher: "own-brand-art-craft:6ed3d014",
};

export const builtInCovers: readonly BuiltInCover[] = Object.entries(slugs).flatMap(([of, list]) =>
  list.split(" ").map((entry) => {
    const [slug = "", hash] = entry.split(":");
    return { slug, of: of as BuiltInCover["of"], file: `/pictures/covers/${slug}-${hash}` };
  }),
);
