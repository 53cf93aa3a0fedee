import { Button } from "#app/components/button.tsx";
import { countOf } from "#app/lib/count-of.ts";
import { saveTable } from "#app/lib/save-table.ts";
import { formatOf } from "#app/lib/table-file.ts";
import { listRowsLeftOut } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { rowsLeftOutTable } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";

type LeftOutButtonProps = { id: string; fileName: string | null; count: number };

/** Downloads the rows that an import leaves out, with their lines and reasons, as a file to repair. */
export function LeftOutButton({ id, fileName, count }: LeftOutButtonProps) {
  const download = useAdminMutation({
    run: async (client) => {
      const from = fileName ?? "books.csv";
      const leftOut = await listRowsLeftOut(client, id);
      return saveTable(rowsLeftOutTable({ ...leftOut, fileName: from }), formatOf(from));
    },
    success: (name) => ({ title: `${countOf(count, "row")} downloaded`, description: name }),
    failure: "Failed to download the rows",
    long: true,
  });
  return (
    <Button
      variant="secondary"
      className="py-2"
      busy={download.isPending}
      onClick={() => download.mutate(undefined)}
    >
      <OfficeIcon name="download" size={18} />
      Download {countOf(count, "row")} with problems
    </Button>
  );
}
