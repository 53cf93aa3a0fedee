import type { ListedTitle, Publisher } from "#app/features/publishers/publisher.ts";
import { demoId } from "./demo-id.ts";
import type { Query } from "./index.ts";

/** The demo's six publishers. */

/**
 * The titles that five of their pages list. Each is also in the demo catalogue, which takes its price, level and subject
 * from here and has reviews that add up to the rating given here.
 */
export const listedTitles = {
  "Hachette Learning": [
    row("Cambridge Primary Mathematics Learner's Book 4", 185, 4.5, "Primary Stage 4", "Mathematics"),
    row("Cambridge Primary English Learner's Book 3", 178.5, 4, "Primary Stage 3", "English"),
    row(
      "Cambridge Checkpoint Lower Secondary Science Student's Book 8",
      245,
      4.5,
      "Lower Secondary Stage 8",
      "Science",
    ),
    row("Cambridge IGCSE Core and Extended Mathematics", 465, 4.8, "IGCSE", "Mathematics"),
    row("Cambridge IGCSE Biology", 439.5, 4.5, "IGCSE", "Biology"),
    row("Cambridge IGCSE Chemistry", 439.5, 4.5, "IGCSE", "Chemistry"),
    row("Cambridge IGCSE Business Studies", 412, 4, "IGCSE", "Business Studies"),
    row("Cambridge International AS & A Level Computer Science", 585, 4.5, "A Level", "Computer Studies"),
    row("Biology for the IB Diploma", 800, 5, "IB Diploma", "Biology"),
    row("Economics for the IB Diploma", 765, 4, "IB Diploma", "Economics"),
  ],
  "Schofield & Sims": [
    row("Mental Arithmetic 1", 62, 5, "Primary 3", "Mathematics"),
    row("Mental Arithmetic 4", 62, 4.8, "Primary 6", "Mathematics"),
    row("First Mental Arithmetic 1", 55, 4.5, "Primary 1", "Mathematics"),
    row("Understanding Maths: Fractions, Decimals and Percentages", 78.5, 4, "Primary 5", "Mathematics"),
    row("KS2 Comprehension 1", 68, 4.5, "Primary 3", "English"),
    row("First Comprehension 2", 64, 4.5, "Primary 2", "English"),
    row("Spelling 3", 58, 4, "Primary 3", "English"),
    row("Early Writing Skills: Letter Formation", 49.5, 5, "Nursery 2", "English"),
    row("Primary Practice Science Year 4", 86, 4, "Primary 4", "Science"),
    row("Times Tables 1", 45, 4.75, "Primary 2", "Mathematics"),
  ],
  Skoldo: [
    row("Skoldo Primary French Elementary Pupil Book", 118, 4.5, "Primary 1-2", "French"),
    row("Skoldo Primary French Book 1 Pupil Book", 125, 4.8, "Primary 3", "French"),
    row("Skoldo Primary French Book 2 Pupil Book", 125, 4.5, "Primary 4", "French"),
    row("Skoldo Primary French Book 3 Pupil Book", 132.5, 4, "Primary 5-6", "French"),
    row("Skoldo Primary French Book 1 Teacher's Book with Audio", 410, 5, "Primary 3", "French"),
    row("Skoldo Primary French Book 2 Teacher's Book with Audio", 410, 4, "Primary 4", "French"),
    row("Skoldo Primary French Songs and Raps", 165, 4.5, "Primary 1-6", "French"),
    row("Skoldo Primary Spanish Book 1 Pupil Book", 128, 4, "Primary 3", "Spanish"),
  ],
  CGP: [
    row("KS1 Phonics Activity Book for Ages 5-7", 64, 4.5, "KS1", "English"),
    row("KS2 Maths SATS Revision Book", 95, 4.6, "KS2", "Mathematics"),
    row("KS2 English SATS Question Book: Reading", 89.5, 4.5, "KS2", "English"),
    row("11+ Verbal Reasoning 10-Minute Tests", 112, 4, "11+", "Verbal Reasoning"),
    row("KS3 Science Complete Revision & Practice", 168, 4.5, "KS3", "Science"),
    row("KS3 History Study Guide", 122, 4, "KS3", "History"),
    row(
      "International GCSE Maths Complete Revision & Practice",
      235,
      4.75,
      "International GCSE",
      "Mathematics",
    ),
    row("GCSE Physics Revision Guide", 142.5, 4.5, "GCSE", "Physics"),
    row("GCSE Geography Exam Practice Workbook", 118, 3.5, "GCSE", "Geography"),
    row("A-Level Chemistry Complete Revision & Practice", 298, 4.5, "A-Level", "Chemistry"),
  ],
  Collins: [
    row("Big Cat Phonics: The Lost Drum", 48, 5, "Reception", "English"),
    row("International Primary Maths Student's Book 2", 148, 4.5, "Primary Stage 2", "Mathematics"),
    row("International Primary English Student's Book 5", 156.5, 4.5, "Primary Stage 5", "English"),
    row("International Primary Science Student's Book 4", 152, 4, "Primary Stage 4", "Science"),
    row("Lower Secondary Geography Student's Book 7", 225, 4, "Lower Secondary Stage 7", "Geography"),
    row("Cambridge IGCSE Mathematics Student's Book", 445, 4.75, "IGCSE", "Mathematics"),
    row("Cambridge IGCSE Economics Student's Book", 428, 4, "IGCSE", "Economics"),
    row("Cambridge IGCSE History Option B Student's Book", 436.5, 4.5, "IGCSE", "History"),
    row("AS & A Level Further Mathematics Student's Book", 615, 4.5, "A Level", "Mathematics"),
    row("School Atlas for West Africa", 198, 4.6, "Primary 4 to JHS 3", "Geography"),
  ],
} as const satisfies Record<string, readonly ListedTitle[]>;

/** In the shop's order, with their marks. The shop's filter leaves two of them out. */
export const demoPublishers = [
  {
    name: "Cambridge University Press",
    slug: "cambridge",
    in_filter: false,
    description:
      "Coursebooks, workbooks and teacher's resources written for the Cambridge pathway, from the first primary stage to A Level.",
    known_for: [
      "Cambridge Primary",
      "Cambridge Lower Secondary",
      "Cambridge IGCSE",
      "Cambridge AS & A Level",
    ],
  },
  {
    name: "Collins",
    slug: "collins",
    titles: listedTitles.Collins,
    description:
      "Complete courses for international primary and secondary schools, with readers, atlases and dictionaries that last for years.",
    known_for: [
      "International Primary",
      "Lower Secondary",
      "Cambridge IGCSE",
      "Big Cat readers",
      "Atlases and dictionaries",
    ],
  },
  {
    name: "CGP",
    slug: "cgp",
    titles: listedTitles.CGP,
    has_order_links: true,
    description:
      "Study books, question books and practice papers that get to the point, for pupils preparing for tests at home and in class.",
    known_for: [
      "Key Stage 1 to 3",
      "11+ practice",
      "GCSE and International GCSE revision",
      "A-Level revision",
    ],
  },
  {
    name: "Hachette Learning",
    slug: "hachette",
    in_filter: false,
    titles: listedTitles["Hachette Learning"],
    description:
      "Student's books and workbooks for the Cambridge and IB programmes, by authors who teach and examine the subjects.",
    known_for: ["Cambridge Primary", "Cambridge Checkpoint", "Cambridge IGCSE", "AS & A Level", "IB Diploma"],
  },
  {
    name: "Schofield & Sims",
    slug: "schofield",
    titles: listedTitles["Schofield & Sims"],
    note: "We supply over 400 Schofield & Sims resources.",
    description:
      "Short, carefully graded workbooks for mental arithmetic, comprehension, spelling and handwriting in nursery and primary classes.",
    known_for: ["Mental Arithmetic", "Comprehension", "Spelling", "Early years", "Primary Practice"],
  },
  {
    name: "Skoldo",
    slug: "skoldo",
    titles: listedTitles.Skoldo,
    description:
      "Primary French and Spanish that a class teacher can lead: songs, games, pupil books and full teacher's notes in one course.",
    known_for: ["Primary French", "Primary Spanish", "Songs and audio", "Teacher's notes"],
  },
] as const satisfies (Pick<Publisher, "name" | "slug" | "known_for"> & Record<string, unknown>)[];

/** Adds the demo's publishers to a shop that has none, and marks them as the demo's. */
export async function seedDemoPublishers(sql: Query): Promise<void> {
  const rows = demoPublishers.map((publisher, at) => ({
    note: null,
    in_filter: true,
    has_order_links: false,
    titles: [],
    ...publisher,
    id: demoId("publisher", publisher.name),
    page: "titles" in publisher ? "showcase" : "live",
    mark: at + 1,
    position: at + 1,
  }));
  await sql(addPublishers, [JSON.stringify(rows)]);
}

/* The task keeps the demo out of the log of what people did. */
const addPublishers = `
  with quiet as materialized (
    select set_config('shop.task', 'demo', true)
  ), added as (
    insert into public.publishers (id, name, slug, mark, description, known_for, note, position, in_filter, page, titles, has_order_links)
    select p.id, p.name, p.slug, p.mark, p.description, p.known_for, p.note, p.position, p.in_filter, p.page, p.titles, p.has_order_links
    from quiet, jsonb_populate_recordset(null::public.publishers, $1::text::jsonb) as p
    where not exists (select from public.publishers)
    returning id
  )
  insert into private.demo_rows (id) select id from added on conflict (id) do nothing`;

function row(title: string, price: number, rating: number, level: string, subject: string): ListedTitle {
  return { title, price, rating, level, subject };
}
