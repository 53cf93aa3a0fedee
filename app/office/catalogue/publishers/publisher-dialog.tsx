import { useState } from "react";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { PAGE_KINDS, SHOWN } from "#app/features/publishers/publisher.ts";
import { MARKS } from "#app/features/publishers/wordmark.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { Check, RowDialog } from "#app/office/frame/row-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { countOf } from "#shared/text/count-of.ts";
import { LogoField } from "./logo-field.tsx";
import { listSpellings, type PublisherRow, savePublisher } from "./publisher.admin-queries.ts";
import {
  findErrors,
  limits,
  PAGE_LABELS,
  type PublisherForm,
  publisherForm,
  publisherValues,
  SHOWN_LABELS,
  suggestSlug,
} from "./publisher-form.ts";

type PublisherDialogProps = {
  /** Null for a new one. */
  loaded: PublisherRow | null;
  /** How many publishers there are. */
  count: number;
  /** `renamed` has a new name, and books have other spellings of it. */
  onClose: (renamed?: PublisherRow) => void;
};

export function PublisherDialog({ loaded, count, onClose }: PublisherDialogProps) {
  const [start] = useState(() => publisherForm(loaded, count, MARKS));
  const save = useAdminMutation({
    run: async (client, { id, ...form }: PublisherForm & { id: string }) => {
      const publisher = publisherValues(form);
      await savePublisher(client, id, publisher, loaded);
      if (!loaded || publisher.name === loaded.name) return undefined;
      // It is saved, whether its other spellings can be read or not.
      const spellings = await listSpellings(client, id, "").catch(() => []);
      return spellings.some(({ is_close }) => is_close) ? { ...loaded, ...publisher } : undefined;
    },
    success: (_, { name }) => ({ title: loaded ? `${name.trim()} saved` : `${name.trim()} added` }),
    failure: "Failed to save the publisher",
    onSuccess: (renamed) => {
      kept.forget();
      onClose(renamed);
    },
    // A new name is written into all its books.
    long: true,
  });
  const { formProps, values, dirty, change, field, kept } = useKeptForm<PublisherForm>({
    kept: `publisher ${loaded?.id ?? "new"}`,
    fields: start,
    rules: findErrors,
    send: (typed, { attempt }) => save.mutate({ ...typed, id: loaded?.id ?? attempt }),
  });
  const isRenamed = loaded !== null && values.name.trim() !== loaded.name;

  return (
    <RowDialog
      noun="publisher"
      isNew={loaded === null}
      dirty={dirty}
      kept={kept}
      busy={save.isPending}
      formProps={formProps}
      onClose={() => onClose()}
    >
      <InputField
        label="Name"
        required
        autoComplete="off"
        maxLength={limits.name}
        {...field("name")}
        hint={
          isRenamed
            ? loaded.books > 0 && `Saving also renames its ${countOf(loaded.books, "book")}.`
            : "Exactly as its books have it."
        }
        onChange={({ target }) => {
          const isSuggested = loaded === null && values.slug === suggestSlug(values.name);
          change("name", target.value);
          if (isSuggested) change("slug", suggestSlug(target.value));
        }}
      />
      <InputField
        label="Address"
        required
        autoComplete="off"
        maxLength={limits.slug}
        hint={
          loaded && values.slug !== loaded.slug
            ? "Links to the old address will stop working."
            : `/products/${values.slug || "…"}`
        }
        {...field("slug")}
      />
      <LogoField
        name={values.name}
        logoUrl={values.logo_url}
        mark={values.mark}
        onLogo={(url) => change("logo_url", url)}
        onMark={(mark) => change("mark", mark)}
      />
      <TextareaField
        label="Description (optional)"
        rows={3}
        maxLength={limits.description}
        hint="One or two sentences for the top of its page and for search engines."
        className="sm:col-span-2"
        {...field("description")}
      />
      <TextareaField
        label="Known for (optional)"
        rows={4}
        hint="One series or stage per line, the most popular first. Lists show the first three."
        {...field("known_for")}
      />
      <TextareaField
        label="Note (optional)"
        rows={4}
        maxLength={limits.note}
        hint="A sentence that its page sets apart."
        {...field("note")}
      />
      <SelectField label="Shown" {...field("shown")}>
        {SHOWN.map((value) => (
          <option key={value} value={value}>
            {SHOWN_LABELS[value]}
          </option>
        ))}
      </SelectField>
      <SelectField label="Its page shows" {...field("page")}>
        {PAGE_KINDS.map((value) => (
          <option key={value} value={value}>
            {PAGE_LABELS[value]}
          </option>
        ))}
      </SelectField>
      {values.page === "showcase" && (
        <TextareaField
          label="Listed titles"
          rows={8}
          className="sm:col-span-2"
          spellCheck={false}
          hint="One per line: title | price | rating | level | subject. Rating, level and subject can be left out. 'In Stock' appears while a book with that title is in stock."
          {...field("titles")}
        />
      )}
      <Check
        label="The shop's publisher filter offers it"
        checked={values.in_filter}
        onChange={(checked) => change("in_filter", checked)}
      />
      <Check
        label="Its page ends with links to the shop and to bulk orders"
        checked={values.has_order_links}
        onChange={(checked) => change("has_order_links", checked)}
      />
    </RowDialog>
  );
}
