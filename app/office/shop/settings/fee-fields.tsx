import { InputField, SelectField } from "#app/components/field.tsx";
import { deliveryCosts } from "#app/features/law/law-values.ts";
import { type DeliveryFee, feesNameRegions, REGIONS } from "#shared/orders/delivery.ts";
import { LineFields, type LinesProps } from "./line-fields.tsx";
import { type FeeCells, feeLines, feeMethods } from "./setting-lines.ts";

const blank: FeeCells = { regions: [], method: "", below: "", fee: "" };

/** The delivery fees, a line each. */
export function FeeFields(props: LinesProps<FeeCells>) {
  const isComplete = props.lines.every((line) => Object.keys(feeLines.problemsOf(line)).length === 0);
  return (
    <LineFields
      {...props}
      noun="fee"
      blank={blank}
      problemsOf={feeLines.problemsOf}
      preview={isComplete && <FeePreview fees={props.lines.map(feeLines.valueOf)} />}
      row={({ line, change, cell }) => (
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-[minmax(0,1.4fr)_minmax(0,1.2fr)_minmax(0,0.7fr)]">
          <Regions chosen={line.regions} onChoose={(regions) => change({ regions })} />
          <SelectField
            {...cell("method")}
            label="Delivery"
            value={line.method}
            onChange={({ target }) => change({ method: target.value })}
          >
            {Object.entries(feeMethods).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectField>
          <InputField
            {...cell("below")}
            label="For books under (GH₵)"
            hint="Leave empty for any amount."
            inputMode="decimal"
            value={line.below}
            onChange={({ target }) => change({ below: target.value })}
          />
          <InputField
            {...cell("fee")}
            label="Fee (GH₵)"
            hint="0 is free."
            inputMode="decimal"
            value={line.fee}
            onChange={({ target }) => change({ fee: target.value })}
          />
        </div>
      )}
    />
  );
}

type RegionsProps = { chosen: readonly string[]; onChoose: (regions: string[]) => void };

function Regions({ chosen, onChoose }: RegionsProps) {
  return (
    <details className="col-span-full">
      <summary className="min-h-11 cursor-pointer py-2.5">
        <span className="text-15 font-semibold">Regions: </span>
        {chosen.length > 0 ? chosen.join(", ") : "everywhere"}
      </summary>
      <p className="text-15 text-muted">If none is ticked, the fee applies everywhere.</p>
      <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-4">
        {REGIONS.map((region) => (
          <label key={region} className="flex min-h-11 items-center gap-2 sm:min-h-9">
            <input
              type="checkbox"
              value={region}
              className="size-5 shrink-0 accent-green"
              checked={chosen.includes(region)}
              onChange={({ target }) =>
                onChoose(target.checked ? [...chosen, region] : chosen.filter((each) => each !== region))
              }
            />
            {region}
          </label>
        ))}
      </div>
    </details>
  );
}

function FeePreview({ fees }: { fees: readonly DeliveryFee[] }) {
  const namesRegions = feesNameRegions(fees, "deliver") || feesNameRegions(fees, "bus_station");
  return (
    <>
      <ul className="list-disc pl-5">
        {deliveryCosts(fees).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may say the same
          <li key={at}>{line}</li>
        ))}
      </ul>
      <p className="mt-2 text-muted">
        Shown on the delivery and returns page. At checkout, customers see the fee for their order
        {namesRegions ? " once they've chosen their region" : ""}; invoices list it as 'Delivery'.
      </p>
    </>
  );
}
