import { type ReactNode, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { CopyButton } from "#app/components/copy-button.tsx";
import { LoadFailed } from "#app/components/load-failed.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { showToast } from "#app/components/toast.ts";
import { getBackend } from "#app/features/session/backend.ts";
import { customerMessage, logFailure } from "#app/lib/backend/failure-message.ts";
import { requireConnection } from "#app/lib/browser/offline.ts";
import { useRead } from "#app/lib/react/use-read.ts";
import { fileTypeName, formatSize } from "#shared/books/file-facts.ts";
import { countOf } from "#shared/text/count-of.ts";
import {
  type DownloadFile,
  findOwnDownloads,
  type OwnDownloads,
  startDownload,
} from "./downloads.queries.ts";

type DownloadsProps = {
  orderId: string;
  /** Changes when the order's status or payments do. */
  version: string;
};

const without = {
  unpaid: "Available once the order is paid.",
  ended: "This order was cancelled or refunded, so its downloads have ended.",
} as const;

/** The files and licence codes of an order. They are requested each time, and never stored in the browser. */
export function Downloads({ orderId, version }: DownloadsProps) {
  const { status, result, retry, set } = useRead(
    `${orderId} ${version}`,
    async () => findOwnDownloads(await getBackend(), orderId),
    { onFailure: (error) => logFailure("Failed to read an order's downloads", error) },
  );

  /** Counted here too, because refetching could stop the starting download. */
  const countDown = (fileId: string) => {
    if (!result) return;
    const files = (all: DownloadFile[]) =>
      all.map((file) => (file.id === fileId ? { ...file, left: Math.max(file.left - 1, 0) } : file));
    set({ ...result, lines: result.lines.map((line) => ({ ...line, files: files(line.files) })) });
  };

  if (status === "failed") return <LoadFailed text="We couldn't load your downloads." onTryAgain={retry} />;
  if (result === undefined) return <Skeleton className="h-16" />;
  if (result === null) return <p>There is nothing to download.</p>;
  if (result.access !== "ready") return <p>{without[result.access]}</p>;
  return (
    <ul aria-label="Titles to download" className="border-y border-line">
      {result.lines.map((line) => (
        <Title
          key={line.book_id}
          line={line}
          fileRow={(file) => (
            <FileRow key={file.id} orderId={orderId} file={file} onStarted={() => countDown(file.id)} />
          )}
        />
      ))}
    </ul>
  );
}

type TitleProps = {
  line: OwnDownloads["lines"][number];
  fileRow: (file: DownloadFile) => ReactNode;
};

function Title({ line: { title, files, codes }, fileRow }: TitleProps) {
  return (
    <li className="border-b border-line py-4 text-15 last:border-b-0">
      <h3 className="font-sans leading-snug font-semibold wrap-anywhere">{title}</h3>
      {files.length === 0 && codes.length === 0 && (
        <p className="mt-1">There is nothing to download at the moment. Please contact us.</p>
      )}
      {files.length > 0 && <ul aria-label={`Files of ${title}`}>{files.map(fileRow)}</ul>}
      {codes.length > 0 && (
        <ul aria-label={`Licence codes of ${title}`}>
          {codes.map((code) => (
            <li key={code} className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <code className="min-w-0 text-17 wrap-anywhere">{code}</code>
              <CopyButton text={code} name="code" />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

type FileRowProps = { orderId: string; file: DownloadFile; onStarted: () => void };

function FileRow({ orderId, file: { id, name, type, size, left }, onStarted }: FileRowProps) {
  const [busy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    try {
      requireConnection();
      const path = await startDownload(await getBackend(), orderId, id);
      onStarted();
      // The response is an attachment, so the page stays.
      window.location.assign(path);
    } catch (error) {
      logFailure("Failed to start a download", error);
      showToast("error", "Failed to start the download", {
        description: customerMessage(error) ?? undefined,
      });
    } finally {
      setBusy(false);
    }
  }

  return (
    <li className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span className="min-w-0 grow basis-48">
        <span className="block wrap-anywhere">{name}</span>
        <span className="figures block text-13 text-muted">
          {fileTypeName(type)}, {formatSize(size)}
          {" · "}
          {left === 0 ? "no downloads left" : `${countOf(left, "download")} left`}
        </span>
      </span>
      <Button variant="secondary" busy={busy} disabled={left === 0} onClick={download}>
        Download<span className="sr-only"> {name}</span>
      </Button>
    </li>
  );
}
