import { Button } from "#app/components/button.tsx";
import { useField } from "#app/components/field.tsx";
import { formatSize } from "#shared/books/file-facts.ts";
import { FILE_ENDINGS } from "./file-type.ts";
import { type RunningUpload, useUpload } from "./use-upload.ts";

const HINT = "PDF, EPUB, ZIP, MP3, M4A or MP4, at most 200 MB.";

/** Chooses a file and uploads it, with its progress. */
export function UploadBox({ bookId }: { bookId: string }) {
  const { running, problem, start, resume, stop } = useUpload(bookId);
  const { id, noteId, aria } = useField({ hint: HINT, error: problem });
  return (
    <div className="mt-4 max-w-2xl">
      <label htmlFor={id} className="mb-1.5 block text-15 font-semibold">
        Add a file
      </label>
      <input
        id={id}
        type="file"
        accept={FILE_ENDINGS}
        disabled={running !== null}
        className="w-full rounded-control border border-line-strong bg-surface p-2 file:mr-3 file:min-h-9 file:cursor-pointer file:rounded-control file:border-0 file:bg-tint file:px-3 file:font-semibold file:text-green hover:border-green disabled:opacity-60"
        {...aria}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void start(file);
          // Otherwise choosing the same file again fires no event.
          target.value = "";
        }}
      />
      <p
        id={noteId}
        role={problem ? "alert" : undefined}
        className={`mt-1.5 wrap-anywhere ${problem ? "text-clay" : "text-muted"}`}
      >
        {problem ?? HINT}
      </p>
      {/* The height is constant, so that nothing moves when an upload starts. */}
      <div className="mt-2 min-h-24">
        {running && <Progress upload={running} onResume={resume} onStop={stop} />}
      </div>
    </div>
  );
}

type ProgressProps = { upload: RunningUpload; onResume: () => void; onStop: () => void };

function Progress({ upload: { name, size, step, done }, onResume, onStop }: ProgressProps) {
  const label = step === "checking" ? `Checking ${name}` : `Uploading ${name}`;
  return (
    <>
      <p className="figures flex flex-wrap justify-between gap-x-4">
        <span className="min-w-0 font-semibold wrap-anywhere">{label}</span>
        <span>
          {formatSize(done)} of {formatSize(size)}
        </span>
      </p>
      <progress aria-label={label} value={done} max={size} className="w-full accent-green" />
      <div className="flex flex-wrap items-center gap-3">
        <p role="status" className="min-w-0 grow text-13 text-muted">
          {step === "paused"
            ? "Paused: no connection. It continues automatically."
            : "If you leave this page, choose the same file again: it continues where it stopped."}
        </p>
        {step === "paused" && (
          <Button variant="secondary" size="small" onClick={onResume}>
            Try Now
          </Button>
        )}
        <Button variant="quiet" size="small" onClick={onStop}>
          Stop
        </Button>
      </div>
    </>
  );
}
