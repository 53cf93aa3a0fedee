import { z } from "zod";
import type { BookRecord } from "./book.admin-queries.ts";

// Compiled checks would need eval, which the security policy forbids.
z.config({ jitless: true });

/** Anything that is no number counts as 0 (spec section 5). */
function readNumber(text: string): number {
  const number = Number(text.trim());
  return Number.isFinite(number) ? number : 0;
}

const optionalText = z
  .string()
  .trim()
  .transform((text) => text || null);

/** The book form, in both its modes: what is typed goes in, what is stored comes out. */
export const bookFormSchema = z.object({
  title: z.string().trim().min(1, "Title is required"),
  publisher: z.string().trim().min(1, "Publisher is required"),
  price: z
    .string()
    // Cedis with two decimals, as the column holds them.
    .transform((text) => Math.round(readNumber(text) * 100) / 100)
    .pipe(z.number().min(0, "Price must be a positive number")),
  stock_quantity: z
    .string()
    .transform((text) => Math.trunc(readNumber(text)))
    .pipe(z.number().min(0, "Stock quantity must be a positive number")),
  isbn: z.string().trim().min(1, "ISBN is required"),
  edition: optionalText,
  subject: optionalText,
  grade_level: optionalText,
  image_url: optionalText,
  description: optionalText,
  course: optionalText,
  age_range: optionalText,
  curriculum_type: optionalText,
});

export type BookFormInput = z.input<typeof bookFormSchema>;
export type BookValues = z.output<typeof bookFormSchema>;
export type BookField = keyof BookValues;

export const bookFields = Object.keys(bookFormSchema.shape) as BookField[];

/** The field's label, also where the form tells what somebody else has changed. */
export const bookFieldLabels: Record<BookField, string> = {
  title: "Title",
  publisher: "Publisher",
  price: "Price (GH₵)",
  stock_quantity: "Stock Quantity",
  isbn: "ISBN",
  edition: "Edition",
  subject: "Subject",
  grade_level: "Grade Level",
  image_url: "Cover image",
  description: "Description",
  course: "Course",
  age_range: "Age Range",
  curriculum_type: "Curriculum Type",
};

/** An empty form, or one filled from a stored book. */
export function bookFormInput(record: BookRecord | null): BookFormInput {
  const input = Object.fromEntries(bookFields.map((field) => [field, record?.[field]?.toString() ?? ""]));
  return {
    ...(input as BookFormInput),
    price: record ? record.price.toFixed(2) : "",
  };
}

/** Fields in which two states of a book differ. */
export function differingFields(
  one: Pick<BookRecord, BookField>,
  other: Pick<BookRecord, BookField>,
): BookField[] {
  return bookFields.filter((field) => one[field] !== other[field]);
}

/** A code for what has no ISBN: six letters and digits that are not mistaken for one another. */
export function internalCode(random: () => number): string {
  const signs = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  const code = Array.from({ length: 6 }, () => signs[Math.floor(random() * signs.length)]).join("");
  return `AB-${code}`;
}
