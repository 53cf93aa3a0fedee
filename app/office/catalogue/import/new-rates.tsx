import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import {
  listConversions,
  listRatedPrices,
  type RememberedConversion,
  stageNewRates,
} from "#app/office/catalogue/book-import/import-conversions.queries.ts";
import { saveImportRecord } from "#app/office/catalogue/book-import/import-records.ts";
import { conversionWords, type PriceConversion } from "#app/office/catalogue/book-import/price-conversion.ts";
import { Panel } from "#app/office/components/panel.tsx";
import { useAdminMutation, useAdminQuery } from "#app/office/frame/admin-data.ts";
import { FormDialog } from "#app/office/frame/form-dialog.tsx";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { CEDIS } from "#shared/text/currencies.ts";
import { formatDay } from "#shared/text/dates.ts";
import { ConversionFields, Examples } from "./foreign-prices.tsx";
import { readTypedMoney, type TypedMoney, typedConversion } from "./typed-money.ts";

/** The lists in another currency that were imported: each can have a new rate without its file. */
export function RatedLists() {
  const lists = useAdminQuery(["book-import", "conversions"], listConversions).data ?? [];
  const [chosen, setChosen] = useState<RememberedConversion | null>(null);
  if (lists.length === 0) return null;
  return (
    <Panel title="Lists in another currency">
      <ul className="border-t border-line">
        {lists.map((list) => (
          <li
            key={list.importId}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line py-2"
          >
            <p className="min-w-0">
              <bdi className="font-semibold wrap-anywhere">{list.source}</bdi>
              <span className="block text-muted">
                {conversionWords(list.conversion)}, on {formatDay(list.appliedAt)}
              </span>
            </p>
            <Button variant="secondary" onClick={() => setChosen(list)}>
              New Rate<span className="sr-only"> for {list.source}</span>
            </Button>
          </li>
        ))}
      </ul>
      {chosen && <NewRateDialog list={chosen} onClose={() => setChosen(null)} />}
    </Panel>
  );
}

function NewRateDialog({ list, onClose }: { list: RememberedConversion; onClose: () => void }) {
  const { importId, source, conversion: former } = list;
  const navigate = useNavigate();
  const codes = Object.keys(former.rates);
  const examples = useAdminQuery(["book-import", importId, "rated"], (client) =>
    listRatedPrices(client, importId),
  );
  const stage = useAdminMutation({
    run: (client, conversion: PriceConversion) => stageNewRates(client, importId, conversion),
    success: () => null,
    failure: "Failed to work out the new prices",
    onSuccess: (id) => {
      kept.forget();
      saveImportRecord(id, true, []);
      navigate(`/admin/books/import?id=${id}`);
    },
    long: true,
  });
  const read = (typed: TypedMoney) => readTypedMoney(typed, CEDIS, codes);
  const form = useKeptForm<TypedMoney>({
    kept: `new rate ${importId}`,
    fields: { currency: "", source, ...typedConversion(former) },
    rules: (typed) => read(typed).errors,
    send(typed) {
      const { conversion } = read(typed);
      if (conversion) stage.mutate(conversion);
    },
  });
  const { values, dirty, formProps, kept } = form;
  const { conversion, errors } = read(values);
  return (
    <FormDialog
      title={`New rate for ${source}`}
      dirty={dirty && !stage.isSuccess}
      kept={kept}
      onClose={onClose}
    >
      <form {...formProps} className="grid gap-4">
        <p>
          The prices of this list's books are worked out anew from the list's own prices. You will see each
          old and new price before anything changes. Prices that were changed since stay.
        </p>
        <ConversionFields form={form} codes={codes} disabled={stage.isPending} />
        {examples.data && (
          <Examples
            examples={examples.data}
            conversion={Object.keys(errors).length > 0 ? null : conversion}
          />
        )}
        <Button type="submit" busy={stage.isPending}>
          {stage.isPending ? "Working out the prices…" : "Show New Prices"}
        </Button>
      </form>
    </FormDialog>
  );
}
