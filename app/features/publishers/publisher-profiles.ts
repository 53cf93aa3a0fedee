import type { PublisherSlug } from "./publisher.ts";

/** What schools buy from a publisher. Kept apart from the names, which every page's menu needs. */
interface PublisherProfile {
  /** One or two sentences for page headings and search engines. */
  description: string;
  /** Series, stages and uses that schools ask for, the most popular first. */
  knownFor: readonly string[];
}

export const publisherProfiles: Record<PublisherSlug, PublisherProfile> = {
  cambridge: {
    description:
      "Coursebooks, workbooks and teacher's resources written for the Cambridge pathway, from the first primary stage to A Level.",
    knownFor: ["Cambridge Primary", "Cambridge Lower Secondary", "Cambridge IGCSE", "Cambridge AS & A Level"],
  },
  collins: {
    description:
      "Complete courses for international primary and secondary schools, with readers, atlases and dictionaries that last for years.",
    knownFor: [
      "International Primary",
      "Lower Secondary",
      "Cambridge IGCSE",
      "Big Cat readers",
      "Atlases and dictionaries",
    ],
  },
  cgp: {
    description:
      "Study books, question books and practice papers that get to the point, for pupils preparing for tests at home and in class.",
    knownFor: [
      "Key Stage 1 to 3",
      "11+ practice",
      "GCSE and International GCSE revision",
      "A-Level revision",
    ],
  },
  hachette: {
    description:
      "Student's books and workbooks for the Cambridge and IB programmes, by authors who teach and examine the subjects.",
    knownFor: ["Cambridge Primary", "Cambridge Checkpoint", "Cambridge IGCSE", "AS & A Level", "IB Diploma"],
  },
  schofield: {
    description:
      "Short, carefully graded workbooks for mental arithmetic, comprehension, spelling and handwriting in nursery and primary classes.",
    knownFor: ["Mental Arithmetic", "Comprehension", "Spelling", "Early years", "Primary Practice"],
  },
  skoldo: {
    description:
      "Primary French and Spanish that a class teacher can lead: songs, games, pupil books and full teacher's notes in one course.",
    knownFor: ["Primary French", "Primary Spanish", "Songs and audio", "Teacher's notes"],
  },
};
