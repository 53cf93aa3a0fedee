import { Button } from "#app/components/button.tsx";
import { saveTable } from "#app/lib/tables/save-table.ts";
import {
  type BookImportCounts,
  type LeftOutKind,
  listRowsLeftOut,
} from "#app/office/catalogue/book-import/book-import.queries.ts";
import { LEFT_OUT, rowsLeftOutTable } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { formatOf } from "#shared/tables/table-file.ts";
import type { ImportState } from "./import.admin-queries.ts";

type LeftOutButtonProps = { bookImport: ImportState; counts: BookImportCounts; kind: LeftOutKind };

/** Downloads the rows of one kind that an import leaves out, with their lines and reasons; null if there are none. */
export function LeftOutButton({ bookImport, counts, kind }: LeftOutButtonProps) {
  const download = useAdminMutation({
    run: async (client) => {
      const fileName = bookImport.file_name ?? "books.csv";
      const leftOut = await listRowsLeftOut(client, bookImport.id, kind);
      return saveTable(rowsLeftOutTable({ ...leftOut, kind, fileName }), formatOf(fileName));
    },
    success: (name) => ({ title: `${words} downloaded`, description: name }),
    failure: "Failed to download the rows",
    long: true,
  });
  const described = LEFT_OUT.find((one) => one.kind === kind);
  const count = described ? counts[described.count] : 0;
  if (!described || count === 0) return null;
  const words = described.words(count);
  return (
    <Button
      variant="secondary"
      className="py-2 text-left"
      busy={download.isPending}
      onClick={() => download.mutate(undefined)}
    >
      <OfficeIcon name="download" size={18} />
      Download {words}
    </Button>
  );
}
