import { type ChangeEvent, useId, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { showToast } from "#app/components/toast.ts";
import { bookCoverUrl } from "#app/features/book-covers/cover-url.ts";
import { MARKS, Mark, Wordmark } from "#app/features/publishers/wordmark.tsx";
import { getBackend } from "#app/features/session/backend.ts";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { staffMessage } from "#app/lib/backend/staff-message.ts";
import { readSetting } from "#app/lib/browser/env.ts";
import { uploadCover } from "#app/office/catalogue/covers/cover.admin-queries.ts";
import { filePickerClass } from "#app/office/catalogue/covers/cover-dialog.tsx";
import { readLogo } from "./logo.ts";

type LogoFieldProps = {
  name: string;
  logoUrl: string;
  mark: number;
  onLogo: (url: string) => void;
  onMark: (mark: number) => void;
};

/** A logo to upload, or one of the drawn marks; shown as customers will see it. */
export function LogoField({ name, logoUrl, mark, onLogo, onMark }: LogoFieldProps) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    // The same file can be chosen again.
    target.value = "";
    if (!file) return;
    setBusy(true);
    try {
      const read = await readLogo(file);
      setRefusal("refusal" in read ? read.refusal : null);
      if ("jpeg" in read) onLogo(await uploadCover(await getBackend(), read.jpeg, Date.now()));
    } catch (error) {
      logFailure("Uploading a logo failed", error);
      showToast("error", "Failed to upload image. Please try again.", {
        description: staffMessage(error) ?? undefined,
      });
    }
    setBusy(false);
  }

  return (
    <div className="flex flex-col gap-3 sm:col-span-2">
      <p className="flex min-h-14 items-center text-20" aria-busy={busy || undefined}>
        <Wordmark
          publisher={{
            name: name.trim() || "Name",
            mark,
            logo: bookCoverUrl(logoUrl, readSetting("backendUrl")),
          }}
        />
      </p>
      <div>
        <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
          Logo (optional)
        </label>
        <input
          id={id}
          type="file"
          accept="image/*"
          onChange={choose}
          aria-describedby={`${id}-note`}
          className={filePickerClass}
        />
        <p
          id={`${id}-note`}
          role={refusal ? "alert" : undefined}
          className={`mt-1.5 ${refusal ? "text-clay" : "text-muted"}`}
        >
          {refusal ??
            (busy
              ? "Uploading..."
              : "Only with the publisher's permission. Without one, the drawn mark is shown.")}
        </p>
        {logoUrl && (
          <Button variant="quiet" size="small" className="mt-1 -ml-3" onClick={() => onLogo("")}>
            Remove logo
          </Button>
        )}
      </div>
      {!logoUrl && (
        <fieldset>
          <legend className="mb-1.5 text-15 font-semibold">Drawn mark</legend>
          <div className="flex flex-wrap gap-2">
            {Array.from({ length: MARKS }, (_, at) => at + 1).map((each) => (
              <label
                key={each}
                className="grid size-11 cursor-pointer place-items-center rounded-control border border-line-strong has-checked:border-2 has-checked:border-green has-focus-visible:outline-2"
              >
                <input
                  type="radio"
                  name={`${id}-mark`}
                  className="sr-only"
                  aria-label={`Mark ${each}`}
                  checked={mark === each}
                  onChange={() => onMark(each)}
                />
                <Mark mark={each} className="size-6" />
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </div>
  );
}
