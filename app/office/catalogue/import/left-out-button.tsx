import { Button } from "#app/components/button.tsx";
import { saveTable } from "#app/lib/tables/save-table.ts";
import { listRowsLeftOut } from "#app/office/catalogue/book-import/book-import.queries.ts";
import { rowsLeftOutTable } from "#app/office/catalogue/book-import/rows-left-out.ts";
import { OfficeIcon } from "#app/office/components/office-icon.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { formatOf } from "#shared/tables/table-file.ts";
import { countOf } from "#shared/text/count-of.ts";

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
