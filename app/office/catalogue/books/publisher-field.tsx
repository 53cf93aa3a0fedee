import type { ReactNode } from "react";
import { Button } from "#app/components/button.tsx";
import {
  knownSpelling,
  publisherKey,
  publisherSpellings,
} from "#app/features/publishers/publisher-spelling.ts";
import { Combobox } from "#app/office/components/combobox.tsx";
import type { PublisherNames } from "./publisher-statistics.tsx";
import type { BookForm } from "./use-book-form.ts";

type PublisherFieldProps = { form: BookForm; publishers: PublisherNames; label: ReactNode };

/** Any publisher; suggests the shop's own and those in the catalogue, even for another spelling. */
export function PublisherField({ form, publishers, label }: PublisherFieldProps) {
  const typed = form.typed.publisher.trim();
  const known = knownSpelling(publisherSpellings([...publishers.own, ...publishers.all]), typed);
  const isOther = typed !== "" && known !== typed && !publishers.all.includes(typed);
  const suggest = (text: string) => {
    const key = publisherKey(text);
    return publishers.all.filter((name) => publisherKey(name).includes(key));
  };
  return (
    <div>
      <Combobox
        label={label}
        required
        error={form.problems.publisher}
        hint={isOther && `The shop already has “${known}”.`}
        name="publisher"
        value={form.typed.publisher}
        onChange={(text) => form.change("publisher", text)}
        suggest={suggest}
      />
      {isOther && (
        <Button
          variant="quiet"
          size="small"
          className="mt-1 -ml-3"
          onClick={() => form.change("publisher", known)}
        >
          Use “{known}”
        </Button>
      )}
    </div>
  );
}
