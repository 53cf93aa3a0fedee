import { useState } from "react";
import { Link } from "react-router";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { CompactSelect } from "#app/office/components/compact-select.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { BottomBar } from "#app/office/frame/lines/bottom-bar.tsx";
import { LineCell, LineRow, LineTable, NumberInput } from "#app/office/frame/lines/line-table.tsx";
import { purchasePath } from "#app/office/stock/purchases/purchase.ts";
import { readCopies } from "#app/office/stock/purchases/purchase-form.ts";
import type { SupplierRow } from "#app/office/stock/suppliers/supplier.admin-queries.ts";
import { countOf } from "#shared/text/count-of.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { draftNeeds, type Need, type NeededLine } from "./need.admin-queries.ts";
import { explainNeed, groupNeeds, type NeedGroup } from "./need.ts";

type NeedsFormProps = {
  needs: readonly Need[];
  /** The total number of lines, of which `needs` are the first. */
  found: number;
  suppliers: readonly SupplierRow[];
};

type Drafts = Awaited<ReturnType<typeof draftNeeds>>;

/** The lines by supplier, with editable copies, before the drafts are made. */
export function NeedsForm({ needs, found, suppliers }: NeedsFormProps) {
  // Renewed once the drafts exist: until then a repeated click makes the same ones.
  const [id, setId] = useState(newUuid);
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(new Map());
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [otherSupplier, setOtherSupplier] = useState("");
  const [submitted, setSubmitted] = useState(false);
  const [drafts, setDrafts] = useState<Drafts>([]);
  const make = useAdminMutation({
    run: (client, lines: readonly NeededLine[]) => draftNeeds(client, id, lines),
    success: (made) => ({ title: `${countOf(made.length, "draft")} made` }),
    failure: "Failed to make the drafts",
    onSuccess: (made) => {
      setDrafts(made);
      setId(newUuid());
      setTyped(new Map());
      setSubmitted(false);
    },
  });

  const shown = needs.filter(({ book_id }) => !removed.has(book_id));
  const copiesOf = (need: Need) => typed.get(need.book_id) ?? String(need.proposed);
  const isWrong = (need: Need) => copiesOf(need).trim() !== "0" && readCopies(copiesOf(need)) === null;
  const lines = shown.flatMap((need) => {
    const copies = readCopies(copiesOf(need));
    const supplier_id = need.supplier_id ?? otherSupplier;
    return copies !== null && supplier_id ? [{ book_id: need.book_id, supplier_id, copies }] : [];
  });
  const problem = shown.some(isWrong)
    ? "Check the marked fields. Copies can be 0 to 99,999."
    : lines.length === 0
      ? "There is nothing to order from a supplier."
      : null;
  const orders = new Set(lines.map(({ supplier_id }) => supplier_id)).size;
  const copies = lines.reduce((sum, line) => sum + line.copies, 0);

  return (
    <div className="flex flex-col gap-6">
      {drafts.length > 0 && <MadeDrafts drafts={drafts} />}
      {needs.length === 0 && <p>Everything needed is in stock, on its way or in a draft.</p>}
      {found > needs.length && (
        <p className="figures text-13 text-muted">
          The first {countOf(needs.length, "title")} of {found.toLocaleString("en-GB")}. Choose a supplier or
          a publisher to see the others.
        </p>
      )}
      {groupNeeds(shown).map((group) => (
        <Group
          key={group.supplierId}
          group={group}
          choice={
            group.supplierId === null && (
              <CompactSelect
                aria-label="Order these from"
                value={otherSupplier}
                onChange={({ target }) => setOtherSupplier(target.value)}
              >
                <option value="">Not ordered: choose a supplier</option>
                {suppliers.map(({ id: supplierId, name }) => (
                  <option key={supplierId} value={supplierId}>
                    Order these from {name}
                  </option>
                ))}
              </CompactSelect>
            )
          }
          copiesOf={copiesOf}
          isWrong={(need) => submitted && isWrong(need)}
          onChange={(bookId, value) => setTyped((now) => new Map(now).set(bookId, value))}
          onRemove={(bookId) => setRemoved((now) => new Set(now).add(bookId))}
        />
      ))}
      {shown.length > 0 && (
        <BottomBar problem={submitted ? problem : null}>
          <Button
            busy={make.isPending}
            onClick={() => {
              setSubmitted(true);
              if (problem === null) make.mutate(lines);
            }}
          >
            {orders > 1 ? "Make Drafts" : "Make Draft"}
          </Button>
          <p className="figures text-13 text-muted">
            {countOf(copies, "copy", "copies")} of {countOf(lines.length, "title")} from{" "}
            {countOf(orders, "supplier")}
          </p>
        </BottomBar>
      )}
    </div>
  );
}

type GroupProps = {
  group: NeedGroup;
  choice: React.ReactNode;
  copiesOf: (need: Need) => string;
  isWrong: (need: Need) => boolean;
  onChange: (bookId: string, copies: string) => void;
  onRemove: (bookId: string) => void;
};

function Group({ group: { name, needs }, choice, copiesOf, isWrong, onChange, onRemove }: GroupProps) {
  return (
    <section aria-label={name}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-20 wrap-anywhere">{name}</h2>
        {choice}
      </div>
      <LineTable label={`Needed from ${name}`} headings={["Book", "Needed", "In stock", "Copies"]}>
        {needs.map((need) => (
          <LineRow
            key={need.book_id}
            title={need.title}
            isbn={need.isbn}
            warning={<Reasons need={need} />}
            onRemove={() => onRemove(need.book_id)}
          >
            <LineCell label="Needed" className="@3xl:w-24">
              {need.needed.toLocaleString("en-GB")}
            </LineCell>
            <LineCell label="In stock" className="@3xl:w-24">
              {need.stock.toLocaleString("en-GB")}
            </LineCell>
            <LineCell label="Copies" className="@3xl:w-24">
              <NumberInput
                inputMode="numeric"
                label={`Copies of ${need.title}`}
                wrong={isWrong(need)}
                value={copiesOf(need)}
                onChange={(value) => onChange(need.book_id, value)}
              />
            </LineCell>
          </LineRow>
        ))}
      </LineTable>
    </section>
  );
}

function Reasons({ need }: { need: Need }) {
  const [sum, ...rest] = explainNeed(need);
  return (
    <>
      <p className="mt-1 text-13 wrap-anywhere">{sum}</p>
      {rest.map((reason) => (
        <p key={reason} className="text-13 wrap-anywhere text-muted">
          {reason}
        </p>
      ))}
    </>
  );
}

function MadeDrafts({ drafts }: { drafts: Drafts }) {
  return (
    <Callout tone="success" scrollsIntoView>
      <ul>
        {drafts.map(({ purchase_order_id, supplier_name, titles, unpriced }) => (
          <li key={purchase_order_id}>
            <Link
              to={purchasePath(purchase_order_id)}
              className="inline-block py-2.5 font-semibold text-green underline"
            >
              Draft to <bdi>{supplier_name}</bdi>
            </Link>
            : {countOf(titles, "title")}
            {unpriced > 0 && `, ${countOf(unpriced, "price")} to fill in`}
          </li>
        ))}
      </ul>
    </Callout>
  );
}
