import { Link, useSearchParams } from "react-router";
import { buttonClass } from "#app/components/button.tsx";
import { Skeleton } from "#app/components/skeleton.tsx";
import { digitalByNames } from "#app/features/books/kind-names.ts";
import { findBookRecord } from "#app/office/catalogue/books/book.admin-queries.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { readFailure, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { isUuid } from "#shared/text/uuid.ts";
import { CodeBox } from "./code-box.tsx";
import { type DigitalContent, listDigital } from "./digital.admin-queries.ts";
import { FileList } from "./file-list.tsx";
import { UploadBox } from "./upload-box.tsx";

/** What customers of a digital title get: its files, or its licence codes. */
export function DigitalPage() {
  const bookId = useSearchParams()[0].get("book") ?? "";
  return (
    <AdminPage
      title="Files and licence codes"
      lead="What customers of a digital title get once their order is paid."
      actions={
        <Link to="/admin/books?kind=digital" className={buttonClass({ variant: "secondary" })}>
          All digital titles
        </Link>
      }
    >
      {isUuid(bookId) ? <Content key={bookId} bookId={bookId} /> : <p>Choose a digital title in the list.</p>}
    </AdminPage>
  );
}

function Content({ bookId }: { bookId: string }) {
  const book = useAdminQuery(["books", "record", bookId], (client) => findBookRecord(client, bookId));
  const digital = useAdminQuery(["books", "digital", bookId], (client) => listDigital(client, bookId), {
    refreshing: true,
  });
  const failure = readFailure("title", book) ?? readFailure("files and codes", digital);
  if (failure) return <RetryNote {...failure} />;
  if (book.data === undefined || digital.data === undefined) return <Skeleton className="h-96" />;
  if (book.data === null) return <p>This title no longer exists.</p>;
  const { title, publisher } = book.data;
  return (
    <>
      <h2 className="text-20 wrap-anywhere">
        <Link
          to={`/admin/books?book=${bookId}`}
          className="-my-2 inline-block py-2 underline decoration-line-strong underline-offset-4 hover:decoration-green"
        >
          {title}
        </Link>
      </h2>
      <p className="mb-4 text-muted">{publisher}</p>
      {digital.data ? (
        <DigitalPanel bookId={bookId} title={title} content={digital.data} />
      ) : (
        <p>This title is not digital. Change its kind in its form first.</p>
      )}
    </>
  );
}

type DigitalPanelProps = { bookId: string; title: string; content: DigitalContent };

function DigitalPanel({ bookId, title, content }: DigitalPanelProps) {
  if (content.digital_by === "code")
    return (
      <Panel title={digitalByNames.code}>
        <CodeBox bookId={bookId} title={title} codes={content.codes} />
      </Panel>
    );
  return (
    <Panel title={digitalByNames.file}>
      <FileList files={content.files} />
      <UploadBox bookId={bookId} />
    </Panel>
  );
}
