import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Dialog } from "#app/components/dialog.tsx";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { useForm } from "#app/components/use-form.ts";
import { usePublisherNames } from "#app/office/catalogue/books/publisher-statistics.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { beginCount, type CountScope, type NewCount as CountToBegin } from "./count.admin-queries.ts";
import { countPath } from "./count-texts.ts";
import { readCodes } from "./typed-scan.ts";

const MAX_LINES = 10_000;

const scopes = {
  publisher: "All books of a publisher",
  shelf: "All books at a shelf place",
  books: "Pasted ISBNs or codes",
} as const satisfies Record<CountScope, string>;

type Typed = { scope: string; publisher: string; shelf: string; codes: string; name: string };

/** What is counted; its name is the publisher or the shelf place unless one was typed. */
function readCount(typed: Typed): Omit<CountToBegin, "id"> {
  const scope = typed.scope as CountScope;
  const value = scope === "publisher" ? typed.publisher : scope === "shelf" ? typed.shelf.trim() : "";
  const name = scope === "shelf" ? `Shelf ${value}` : value || "Pasted list";
  return {
    scope,
    value,
    codes: scope === "books" ? readCodes(typed.codes) : [],
    name: typed.name.trim() || name.slice(0, 100),
  };
}

export function NewCount({ onClose }: { onClose: () => void }) {
  // The same for every attempt, so that a retry after a lost response begins no second count.
  const [id] = useState(newUuid);
  const publishers = usePublisherNames();
  const navigate = useNavigate();
  const begin = useAdminMutation({
    run: (client, count: Omit<CountToBegin, "id">) => beginCount(client, { ...count, id }),
    success: () => null,
    failure: "Failed to start the count",
    onSuccess: () => {
      onClose();
      void navigate(countPath(id));
    },
  });
  const { values, dirty, field, formProps } = useForm<Typed>({
    fields: { scope: "publisher", publisher: "", shelf: "", codes: "", name: "" },
    rules(typed) {
      const { scope, value, codes } = readCount(typed);
      const tooMany = codes.length > MAX_LINES;
      return {
        publisher: scope === "publisher" && !value ? "Choose a publisher" : null,
        shelf: scope === "shelf" && !value ? "Enter the beginning of the shelf places, such as A1" : null,
        codes: tooMany
          ? "Paste up to 10,000 lines"
          : scope === "books" && codes.length === 0
            ? "Paste at least one ISBN or code"
            : null,
      };
    },
    send: (typed) => begin.mutate(readCount(typed)),
  });
  const { guard, question } = useUnsavedChanges(dirty && !begin.isSuccess);
  return (
    <Dialog open title="New count" onClose={() => guard(onClose)} staysOnOutsidePress={dirty}>
      <form {...formProps} className="grid gap-4">
        <SelectField label="What to count" {...field("scope")}>
          {Object.entries(scopes).map(([scope, label]) => (
            <option key={scope} value={scope}>
              {label}
            </option>
          ))}
        </SelectField>
        {values.scope === "publisher" && (
          <SelectField label="Publisher" {...field("publisher")}>
            <option value="">Choose a publisher</option>
            {publishers.all.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        )}
        {values.scope === "shelf" && (
          <InputField
            label="Shelf places that begin with"
            autoComplete="off"
            maxLength={60}
            hint="A1 includes A10 and A1-3."
            {...field("shelf")}
          />
        )}
        {values.scope === "books" && (
          <TextareaField
            label="ISBNs or codes, one on each line"
            rows={6}
            spellCheck={false}
            hint="Copied from a spreadsheet, the first column counts."
            {...field("codes")}
          />
        )}
        <InputField label="Name (optional)" autoComplete="off" maxLength={100} {...field("name")} />
        <Button type="submit" busy={begin.isPending}>
          Begin
        </Button>
      </form>
      {question}
    </Dialog>
  );
}
