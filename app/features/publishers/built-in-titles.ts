import { type Pesewas, pesewasFromCedis } from "#app/lib/money.ts";
import type { PublisherName } from "./publisher.ts";

/**
 * The fixed lists of the publisher pages (Cambridge's is read live). Each title is also in the demo catalogue, which
 * takes its price, level and subject from here and has reviews that add up to the rating given here.
 */
export interface BuiltInTitle {
  title: string;
  price: Pesewas;
  /** Out of 5. */
  rating: number;
  level: string;
  subject: string;
}

type BuiltInPublisher = Exclude<PublisherName, "Cambridge University Press">;

export const builtInTitles: Record<BuiltInPublisher, readonly BuiltInTitle[]> = {
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
};

function row(
  title: string,
  priceCedis: number,
  rating: number,
  level: string,
  subject: string,
): BuiltInTitle {
  return { title, price: pesewasFromCedis(priceCedis), rating, level, subject };
}
