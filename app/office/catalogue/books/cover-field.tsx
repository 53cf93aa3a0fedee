import { type ChangeEvent, useId, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { BookCover } from "#app/features/book-covers/book-cover.tsx";
import { bookFieldLabel } from "#app/features/books/book-fields.ts";
import { readSetting } from "#app/lib/browser/env.ts";
import { CoverDialog, filePickerClass } from "#app/office/catalogue/covers/cover-dialog.tsx";
import type { BookForm } from "./use-book-form.ts";

/** The cover as customers will see it, with buttons to change or remove it. */
export function CoverField({ form }: { form: BookForm }) {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const { title, publisher, subject, course, image_url: imageUrl } = form.typed;
  const setImageUrl = (address: string) => form.change("image_url", address);

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    setFile(target.files?.[0] ?? null);
    // The same file can be chosen again.
    target.value = "";
  }

  return (
    <div className="flex gap-4 sm:col-span-2">
      <BookCover
        book={{ title: title || "Title", publisher, subject, course, image_url: imageUrl || null }}
        backendUrl={readSetting("backendUrl")}
        sizes="80px"
        className="w-20 shrink-0 self-start"
      />
      <div className="min-w-0 grow">
        <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
          {bookFieldLabel("image_url")}
        </label>
        <input id={id} type="file" accept="image/*" onChange={choose} className={filePickerClass} />
        <p className="mt-1.5 text-muted">
          A photo of the front of the book. You can crop it before it is used.
        </p>
        {imageUrl && (
          <Button variant="quiet" size="small" className="mt-1 -ml-3" onClick={() => setImageUrl("")}>
            Remove cover image
          </Button>
        )}
      </div>
      {file && (
        <CoverDialog
          file={file}
          onClose={() => setFile(null)}
          onUploaded={(address) => {
            setImageUrl(address);
            setFile(null);
          }}
        />
      )}
    </div>
  );
}
