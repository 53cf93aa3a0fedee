import { useState } from "react";
import { Link } from "react-router";
import { Button, buttonClass } from "#app/components/button.tsx";
import { saveTable } from "#app/lib/tables/save-table.ts";
import { FileStep } from "#app/office/catalogue/import/file-step.tsx";
import { ImportSteps } from "#app/office/catalogue/import/import-steps.tsx";
import type { OpenedFile } from "#app/office/catalogue/import/new-import.tsx";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { AdminPage } from "#app/office/frame/admin-page.tsx";
import { ListCheck } from "./list-check.tsx";
import { ListColumnStep } from "./list-column-step.tsx";
import { listColumns, listTemplate } from "./list-columns.ts";
import { ListResult } from "./list-result.tsx";
import type { LooseRow } from "./list-rows.ts";
import { useListImport } from "./use-list-import.ts";

/** Imports many booklists from one file, in four steps: the file, its columns, a check, and the result. */
export function ListImportPage() {
  const work = useListImport();
  const [file, setFile] = useState<OpenedFile | null>(null);
  const [loose, setLoose] = useState<LooseRow[]>([]);
  const step = work.results ? "Result" : work.plans ? "Check" : file ? "Columns" : "File";
  function startAgain() {
    work.restart();
    setFile(null);
  }
  return (
    <AdminPage
      title="Import booklists"
      lead="Add and update the lists of many classes at once from an Excel or CSV file."
      actions={
        <Link to="/admin/booklists" className={buttonClass({ variant: "secondary" })}>
          Back to booklists
        </Link>
      }
    >
      <ImportSteps current={step} />
      {step === "File" && (
        <>
          <FileStep columns={listColumns} onOpened={setFile} />
          <FileHelp />
        </>
      )}
      {step === "Columns" && file && (
        <ListColumnStep file={file} work={work} onRead={setLoose} onBack={startAgain} />
      )}
      {step === "Check" && file && (
        <ListCheck
          fileName={file.name}
          headings={file.table.headings}
          loose={loose}
          work={work}
          onBack={startAgain}
        />
      )}
      {step === "Result" && file && (
        <ListResult
          fileName={file.name}
          headings={file.table.headings}
          loose={loose}
          work={work}
          onBack={startAgain}
        />
      )}
    </AdminPage>
  );
}

function FileHelp() {
  return (
    <section aria-labelledby="file-help" className="measure mt-6">
      <h2 id="file-help" className="mb-2 text-20">
        What the file looks like
      </h2>
      <p>
        One row for each book on each list, with its school, class, school year, and ISBN or title. Copies per
        pupil (1 if empty), required (yes if empty), note and position (if empty, the order of the rows) are
        optional. Other headings are recognised too; you can check them in the next step.
      </p>
      <ul className="mt-2 list-disc pl-5">
        <li>
          The rows of one school, class and year are one list. If the shop has this list already, the file's
          rows take the place of its lines.
        </li>
        <li>A book that the shop does not sell is listed by its title.</li>
        <li>A list with a problem is left out entirely. You can download its rows and correct them.</li>
        <li>A list that already matches the file stays as it is.</li>
      </ul>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => void saveTable(listTemplate, "xlsx")}>
          <OfficeIcon name="download" size={18} />
          Download an Excel template
        </Button>
        <Button variant="secondary" onClick={() => void saveTable(listTemplate, "csv")}>
          <OfficeIcon name="download" size={18} />
          Download a CSV template
        </Button>
      </div>
    </section>
  );
}
