import { type ReactNode, useId } from "react";
import { InputField, TextareaField } from "#app/components/field.tsx";
import { type BookField, bookFieldLabel, isRequired } from "#app/features/books/book-fields.ts";
import { readPriceField } from "./book-form.ts";
import { CoverField } from "./cover-field.tsx";
import { IsbnField } from "./isbn-field.tsx";
import { PublisherField } from "./publisher-field.tsx";
import type { PublisherNames } from "./publisher-statistics.tsx";
import type { BookForm } from "./use-book-form.ts";

type BookFormFieldsProps = {
  form: BookForm;
  publishers: PublisherNames;
  /** The book being edited; null for a new one. */
  bookId: string | null;
};

/** The fields of the book form in the specified order, then the three that only a stored book has. */
export function BookFormFields({ form, publishers, bookId }: BookFormFieldsProps) {
  const suggestions = useId();
  const labelOf = (name: BookField) =>
    isRequired(name) ? <Required>{bookFieldLabel(name)}</Required> : bookFieldLabel(name);
  const field = (name: BookField) => ({
    label: labelOf(name),
    "aria-required": isRequired(name) || undefined,
    error: form.problems[name],
    name,
    value: form.typed[name],
    onChange: ({ target }: { target: { value: string } }) => form.change(name, target.value),
  });
  const { price } = form.typed;
  const free = price.trim() !== "" && readPriceField(price) === 0;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <InputField {...field("title")} className="sm:col-span-2" />
      <InputField {...field("authors")} className="sm:col-span-2" />
      <PublisherField form={form} publishers={publishers} label={labelOf("publisher")} />
      <InputField
        {...field("price")}
        type="number"
        inputMode="decimal"
        step={0.01}
        min={0}
        hint={free ? "At a price of 0, customers get this book free." : undefined}
      />
      <InputField {...field("stock_quantity")} type="number" inputMode="numeric" step={1} min={0} />
      <IsbnField form={form} bookId={bookId} label={labelOf("isbn")} />
      <InputField {...field("edition")} placeholder="e.g., 1st Edition, 2nd Edition" />
      <InputField {...field("subject")} />
      <InputField {...field("grade_level")} />
      <CoverField form={form} />
      <TextareaField {...field("description")} className="sm:col-span-2" />
      <InputField {...field("course")} />
      <InputField {...field("age_range")} />
      <InputField {...field("curriculum_type")} list={suggestions} />
      <datalist id={suggestions}>
        <option value="Cambridge" />
        <option value="IB" />
      </datalist>
    </div>
  );
}

/** 'Title*': the star is visual only; screen readers hear from the field itself that it is required. */
function Required({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <span aria-hidden="true" className="text-clay">
        *
      </span>
    </>
  );
}
