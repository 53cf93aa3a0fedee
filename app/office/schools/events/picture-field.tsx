import { type ChangeEvent, useId, useState } from "react";
import { Button } from "#app/components/button.tsx";
import {
  CoverDialog,
  type CroppedPicture,
  filePickerClass,
} from "#app/office/catalogue/covers/cover-dialog.tsx";
import { eventPictureUrl } from "#shared/books/picture-sizes.ts";
import { uploadEventPicture } from "./event.admin-queries.ts";

/** As large as pages show it on a sharp screen. */
const EVENT_PICTURE: CroppedPicture = {
  frame: { shape: { width: 3, height: 2 }, maxHeight: 800, least: { width: 480, height: 320 } },
  noun: "picture",
  title: "Crop Picture",
  description: "Everything inside the frame (3:2) becomes the event's picture.",
  button: "Upload Picture",
  uploaded: "Picture uploaded",
  upload: uploadEventPicture,
};

type PictureFieldProps = {
  /** The name of an uploaded picture; empty without one. */
  picture: string;
  onChange: (picture: string) => void;
};

/** An event's own picture as customers will see it, with buttons to change or remove it. */
export function PictureField({ picture, onChange }: PictureFieldProps) {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    setFile(target.files?.[0] ?? null);
    // The same file can be chosen again.
    target.value = "";
  }

  return (
    <div className="flex flex-wrap gap-4 sm:col-span-2">
      {picture && (
        <img
          key={picture}
          src={eventPictureUrl(picture, "480.webp")}
          width={480}
          height={320}
          alt="The event's own"
          className="aspect-3/2 h-auto w-40 shrink-0 self-start rounded-card bg-line object-cover"
        />
      )}
      <div className="min-w-60 grow basis-0">
        <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
          Picture (optional)
        </label>
        <input
          id={id}
          type="file"
          accept="image/*"
          onChange={choose}
          aria-describedby={`${id}-note`}
          className={filePickerClass}
        />
        <p id={`${id}-note`} className="mt-1.5 text-muted">
          You can crop it before it is used. Without one, the drawing for its kind is shown.
        </p>
        {picture && (
          <Button variant="quiet" size="small" className="mt-1 -ml-3" onClick={() => onChange("")}>
            Remove picture
          </Button>
        )}
      </div>
      {file && (
        <CoverDialog
          of={EVENT_PICTURE}
          file={file}
          onClose={() => setFile(null)}
          onUploaded={(name) => {
            onChange(name);
            setFile(null);
          }}
        />
      )}
    </div>
  );
}
