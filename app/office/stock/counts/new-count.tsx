import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField, SelectField, TextareaField } from "#app/components/field.tsx";
import { usePublisherNames } from "#app/office/catalogue/books/publisher-statistics.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
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
  const publishers = usePublisherNames();
  const navigate = useNavigate();
  const begin = useAdminMutation({
    run: (client, count: CountToBegin) => beginCount(client, count),
    success: () => null,
    failure: "Failed to start the count",
    onError: (error) => {
      kept.onRefused(error);
    },
    onSuccess: (_, { id }) => {
      kept.forget();
      onClose();
      void navigate(countPath(id));
    },
  });
  const { values, dirty, field, formProps, kept } = useKeptForm<Typed>({
    kept: "count new",
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
    send: (typed, { attempt }) => begin.mutate({ ...readCount(typed), id: attempt }),
  });
  return (
    <FormDialog title="New count" dirty={dirty && !begin.isSuccess} kept={kept} onClose={onClose}>
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
    </FormDialog>
  );
}
