import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "#app/components/badge.tsx";
import { Button } from "#app/components/button.tsx";
import { bookCoverUrl } from "#app/features/book-covers/cover-url.ts";
import { publisherPagePath, type Shown } from "#app/features/publishers/publisher.ts";
import { Wordmark } from "#app/features/publishers/wordmark.tsx";
import { readSetting } from "#app/lib/browser/env.ts";
import type { DataColumn } from "#app/office/components/data-column.ts";
import { DataTable } from "#app/office/components/data-table.tsx";
import { IconAction } from "#app/office/components/icon-action.tsx";
import { readFailure, useAdminMutation } from "#app/office/frame/admin-data.ts";
import { useDuty } from "#app/office/frame/duties.tsx";
import { DeleteDialog } from "#app/office/frame/row-dialog.tsx";
import { orderPublishers, type PublisherRow, removePublisher } from "./publisher.admin-queries.ts";

type PublisherTableProps = {
  publishers: UseQueryResult<PublisherRow[]>;
  onEdit: (row: PublisherRow) => void;
  onMerge: (row: PublisherRow) => void;
};

const shownBadges: Record<Shown, string> = { menu: "In menus", page: "All publishers", nowhere: "Nowhere" };

/** All publishers in the shop's order. */
export function PublisherTable({ publishers, onEdit, onMerge }: PublisherTableProps) {
  const rows = publishers.data;
  const mayDelete = useDuty("deletions");
  const [doomed, setDoomed] = useState<PublisherRow | null>(null);
  const remove = useAdminMutation({
    run: (client, row: PublisherRow) => removePublisher(client, row.id),
    success: (_, { name }) => ({ title: `${name} deleted`, description: "Activity can restore it." }),
    failure: "Failed to delete the publisher",
  });
  const order = useAdminMutation({
    run: (client, { ids }: { ids: string[]; message: string }) => orderPublishers(client, ids),
    success: (_, { message }) => ({ title: message }),
    failure: "Failed to move the publisher",
  });

  function move(row: PublisherRow, step: -1 | 1) {
    if (!rows || order.isPending) return;
    const ids = rows.map(({ id }) => id);
    const at = ids.indexOf(row.id);
    ids.splice(at, 1);
    ids.splice(at + step, 0, row.id);
    order.mutate({ ids, message: `${row.name} is now number ${at + step + 1}` });
  }

  const columns: DataColumn<PublisherRow>[] = [
    {
      id: "name",
      header: "Publisher",
      card: "title",
      cell: (row) => (
        <span className="inline-block max-w-48 text-17">
          <Wordmark publisher={{ ...row, logo: bookCoverUrl(row.logo_url, readSetting("backendUrl")) }} />
        </span>
      ),
    },
    {
      id: "slug",
      header: "Address",
      className: "wrap-anywhere",
      cell: (row) =>
        row.shown === "nowhere" ? (
          <span className="text-muted">{publisherPagePath(row.slug)}</span>
        ) : (
          <a
            href={publisherPagePath(row.slug)}
            className="inline-flex min-h-11 items-center underline underline-offset-4 @4xl:min-h-8"
          >
            {publisherPagePath(row.slug)}
          </a>
        ),
    },
    {
      id: "shown",
      header: "Shown",
      cell: (row) => (
        <Badge variant={row.shown === "menu" ? "secondary" : "outline"}>{shownBadges[row.shown]}</Badge>
      ),
    },
    {
      id: "page",
      header: "Page",
      cell: (row) => (row.page === "live" ? "From the catalogue" : `${row.titles.length} listed titles`),
    },
    {
      id: "books",
      header: "Books",
      align: "right",
      className: "figures",
      cell: (row) => row.books.toLocaleString("en-GB"),
    },
    {
      id: "actions",
      header: "Actions",
      card: "actions",
      align: "right",
      className: "whitespace-nowrap",
      cell: (row) => (
        <span className="inline-flex items-center">
          {rows?.[0]?.id !== row.id && (
            <IconAction icon="chevron-up" label={`Move ${row.name} up`} onClick={() => move(row, -1)} />
          )}
          {rows?.at(-1)?.id !== row.id && (
            <IconAction icon="chevron-down" label={`Move ${row.name} down`} onClick={() => move(row, 1)} />
          )}
          <Button
            variant="quiet"
            size="small"
            aria-label={`Merge spellings into ${row.name}`}
            onClick={() => onMerge(row)}
          >
            Merge
          </Button>
          <IconAction icon="pencil" label={`Edit ${row.name}`} onClick={() => onEdit(row)} />
          {mayDelete && (
            <IconAction icon="trash" label={`Delete ${row.name}`} onClick={() => setDoomed(row)} />
          )}
        </span>
      ),
    },
  ];

  return (
    <>
      <DataTable
        label="Publishers"
        toolbar={null}
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        empty="No publishers yet. Menus and the home page leave them out."
        failure={readFailure("publishers", publishers)}
      />
      <DeleteDialog row={doomed} onDelete={remove.mutate} onClose={() => setDoomed(null)}>
        Its page and menu entries are removed. Its books stay in the shop, under the same name. Activity can
        restore the publisher.
      </DeleteDialog>
    </>
  );
}
