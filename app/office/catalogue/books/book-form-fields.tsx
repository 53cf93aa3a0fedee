import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { type BookField, bookChoices, bookFieldLabel } from "#app/features/books/book-fields.ts";
import { readKind } from "#app/features/books/kind-names.ts";
import { countOf } from "#shared/text/count-of.ts";
import type { BookRecord } from "./book.admin-queries.ts";
import { isRequiredFor, isShownFor, readPriceField } from "./book-form.ts";
import { digitalPath } from "./book-paths.ts";
import { CoverField } from "./cover-field.tsx";
import { IsbnField } from "./isbn-field.tsx";
import { NewerEditionField } from "./newer-edition-field.tsx";
import { PublisherField } from "./publisher-field.tsx";
import type { PublisherNames } from "./publisher-statistics.tsx";
import { LONGEST_NOTE, reasonsFor } from "./stock-reasons.ts";
import type { BookForm } from "./use-book-form.ts";

type BookFormFieldsProps = {
  form: BookForm;
  publishers: PublisherNames;
  /** The title being edited; null for a new one. */
  stored: BookRecord | null;
};

/**
 * The kind first, then the fields of the book form in the specified order, then the three that only a stored book has.
 * Input in a field that the chosen kind hides stays until the form is closed.
 */
export function BookFormFields({ form, publishers, stored }: BookFormFieldsProps) {
  const suggestions = useId();
  const kind = readKind(form.typed.kind);
  const labelOf = (name: BookField) =>
    isRequiredFor(kind, name) ? <Required>{bookFieldLabel(name)}</Required> : bookFieldLabel(name);
  const field = (name: BookField) => ({
    label: labelOf(name),
    "aria-required": isRequiredFor(kind, name) || undefined,
    error: form.problems[name],
    name,
    value: form.typed[name],
    onChange: ({ target }: { target: { value: string } }) => form.change(name, target.value),
  });
  const shows = (name: BookField) => isShownFor(kind, name);
  const { price } = form.typed;
  const free = price.trim() !== "" && readPriceField(price) === 0;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceFields form={form} name="kind" />
      {shows("digital_by") && (
        <div className="sm:col-span-2">
          <ChoiceFields form={form} name="digital_by" />
          {stored?.kind === "digital" && !form.dirty ? (
            <Link to={digitalPath(stored)} className="inline-block py-2.5 font-semibold text-green underline">
              Files and licence codes
            </Link>
          ) : (
            <p className="py-2.5 text-muted">Once it is saved, you can add its files or licence codes.</p>
          )}
        </div>
      )}
      <InputField {...field("title")} className="sm:col-span-2" />
      {shows("authors") && <InputField {...field("authors")} className="sm:col-span-2" />}
      <PublisherField form={form} publishers={publishers} label={labelOf("publisher")} />
      <InputField
        {...field("price")}
        type="number"
        inputMode="decimal"
        step={0.01}
        min={0}
        hint={
          free ? `At a price of 0, customers get this ${kind === "book" ? "book" : "title"} free.` : undefined
        }
      />
      {shows("stock_quantity") && (
        <InputField {...field("stock_quantity")} type="number" inputMode="numeric" step={1} min={0} />
      )}
      {form.copies !== 0 && <StockReasonFields form={form} />}
      <ChoiceFields form={form} name="sale_state" />
      {form.typed.sale_state === "coming_soon" && (
        <InputField
          {...field("available_on")}
          placeholder="e.g., 15 Jan 2027, Jan 2027"
          hint="Customers see it. You can leave it empty."
        />
      )}
      {kind === "book" && <IsbnField form={form} bookId={stored?.id ?? null} label={labelOf("isbn")} />}
      {kind === "stationery" && (
        <InputField {...field("isbn")} label="Barcode" autoComplete="off" hint="For scanning and labels." />
      )}
      {shows("edition") && <InputField {...field("edition")} placeholder="e.g., 1st Edition, 2nd Edition" />}
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
      {shows("newer_isbn") && <NewerEditionField form={form} label={labelOf("newer_isbn")} />}
      {shows("shelf") && (
        <InputField {...field("shelf")} placeholder="e.g., Rack 3, top" hint="Pick lists are sorted by it." />
      )}
    </div>
  );
}

/** A field with a few choices. */
function ChoiceFields({ form, name }: { form: BookForm; name: keyof typeof bookChoices }) {
  return (
    <fieldset className="sm:col-span-2">
      <legend className="text-15 font-semibold">{bookFieldLabel(name)}</legend>
      <div className="flex flex-wrap gap-x-6">
        {bookChoices[name].map(({ value, label }) => (
          <label key={value} className="flex min-h-11 cursor-pointer items-center gap-2.5">
            <input
              type="radio"
              name={name}
              value={value}
              className="size-5 accent-green"
              checked={form.typed[name] === value}
              onChange={() => form.change(name, value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Shown only when the stock has changed. */
function StockReasonFields({ form }: { form: BookForm }) {
  const { copies, typed, problems, change } = form;
  const direction = copies > 0 ? "more" : "fewer";
  const changed = countOf(Math.abs(copies), `${direction} copy`, `${direction} copies`);
  return (
    <div className="grid gap-4 rounded-card bg-tint p-4 sm:col-span-2 sm:grid-cols-2">
      <SelectField
        label={`Why ${changed}?`}
        name="reason"
        value={typed.reason}
        error={problems.reason}
        onChange={({ target }) => change("reason", target.value)}
      >
        <option value="">Choose a reason</option>
        {reasonsFor(copies).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <InputField
        label="Note"
        hint="Only staff see it."
        maxLength={LONGEST_NOTE}
        name="note"
        value={typed.note}
        onChange={({ target }) => change("note", target.value)}
      />
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
