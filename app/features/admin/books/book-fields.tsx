import { type ReactNode, useId } from "react";
import { type UseFormReturn, useWatch } from "react-hook-form";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { type BookFormInput, type BookValues, bookFieldLabels } from "./book-form.ts";
import { CoverField } from "./cover-field.tsx";
import { IsbnField } from "./isbn-field.tsx";

export type BookFormControl = UseFormReturn<BookFormInput, unknown, BookValues>;

type BookFieldsProps = {
  form: BookFormControl;
  publishers: string[];
  /** The book that is edited; null for a new one. */
  bookId: string | null;
};

/** The fields of the book form in their stated order, then the three that only its record knows. */
export function BookFields({ form, publishers, bookId }: BookFieldsProps) {
  const suggestions = useId();
  const { register, formState } = form;
  const errorOf = (field: keyof BookFormInput) => formState.errors[field]?.message ?? null;
  const [price, publisher] = useWatch({ control: form.control, name: ["price", "publisher"] });
  const choices = publisher && !publishers.includes(publisher) ? [publisher, ...publishers] : publishers;
  const free = price.trim() !== "" && Number(price) === 0;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <InputField
        label={<Required>{bookFieldLabels.title}</Required>}
        aria-required
        className="sm:col-span-2"
        error={errorOf("title")}
        {...register("title")}
      />
      <SelectField
        label={<Required>{bookFieldLabels.publisher}</Required>}
        aria-required
        error={errorOf("publisher")}
        {...register("publisher")}
      >
        <option value="">Select publisher</option>
        {choices.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
      <InputField
        label={<Required>{bookFieldLabels.price}</Required>}
        aria-required
        type="number"
        inputMode="decimal"
        step={0.01}
        min={0}
        hint={free ? "A price of 0 gives this book away for nothing." : undefined}
        error={errorOf("price")}
        {...register("price")}
      />
      <InputField
        label={bookFieldLabels.stock_quantity}
        type="number"
        inputMode="numeric"
        step={1}
        min={0}
        error={errorOf("stock_quantity")}
        {...register("stock_quantity")}
      />
      <IsbnField form={form} bookId={bookId} label={<Required>{bookFieldLabels.isbn}</Required>} />
      <InputField
        label={bookFieldLabels.edition}
        placeholder="e.g., 1st Edition, 2nd Edition"
        error={errorOf("edition")}
        {...register("edition")}
      />
      <InputField label={bookFieldLabels.subject} error={errorOf("subject")} {...register("subject")} />
      <InputField
        label={bookFieldLabels.grade_level}
        error={errorOf("grade_level")}
        {...register("grade_level")}
      />
      <CoverField form={form} />
      <TextareaField
        label={bookFieldLabels.description}
        className="sm:col-span-2"
        error={errorOf("description")}
        {...register("description")}
      />
      <InputField label={bookFieldLabels.course} error={errorOf("course")} {...register("course")} />
      <InputField label={bookFieldLabels.age_range} error={errorOf("age_range")} {...register("age_range")} />
      <InputField
        label={bookFieldLabels.curriculum_type}
        list={suggestions}
        error={errorOf("curriculum_type")}
        {...register("curriculum_type")}
      />
      <datalist id={suggestions}>
        <option value="Cambridge" />
        <option value="IB" />
      </datalist>
    </div>
  );
}

/** 'Title*': the star is for the eye, the field itself says that it is required. */
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
