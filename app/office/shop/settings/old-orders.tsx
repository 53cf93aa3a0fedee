import { type FormEvent, useState } from "react";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import { settings } from "#shared/owner/settings.ts";
import { countOf } from "#shared/text/count-of.ts";
import { countOldOrders } from "./setting.admin-queries.ts";

const { min, max } = settings.forgetOrdersAfterYears;

/** A dry run: how many orders would lose their names now, after this many years. Changes nothing. */
export function OldOrders({ savedYears }: { savedYears: number }) {
  const [years, setYears] = useState(String(savedYears || 6));
  const count = useAdminMutation({
    run: async (client, asked: number) => ({ asked, orders: await countOldOrders(client, asked) }),
    success: () => null,
    failure: "Failed to count the orders",
  });
  const asked = /^\d+$/.test(years) ? Number(years) : 0;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!count.isPending && asked > min && asked <= max) count.mutate(asked);
  }

  return (
    <section aria-labelledby="old-orders" className="mt-8 border-t border-line pt-5">
      <h2 id="old-orders" className="text-20">
        Names on old orders
      </h2>
      <p className="mt-1 mb-3 text-muted">
        Before you save the years above, check how many orders this would affect. Names can only be restored
        from a backup. Consultations with no activity for that long are deleted too.
      </p>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <InputField
          label="Orders older than, in years"
          name="years"
          inputMode="numeric"
          value={years}
          onChange={(event) => setYears(event.target.value.trim())}
          className="w-60"
        />
        <Button type="submit" variant="secondary" disabled={count.isPending || asked <= min || asked > max}>
          {count.isPending ? "Counting…" : "Count orders"}
        </Button>
      </form>
      <p role="status" className="mt-3">
        {count.data &&
          `${countOf(count.data.orders, "order")} placed more than ${countOf(count.data.asked, "year")} ago would lose their names.`}
      </p>
    </section>
  );
}
