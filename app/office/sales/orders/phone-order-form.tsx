import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "#app/components/button.tsx";
import { InputField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toast.ts";
import { isDownloaded, MAX_QUANTITY } from "#app/features/cart/cart.ts";
import type { Shipping } from "#app/features/cart/cart-summary.tsx";
import { useDeliveryFee } from "#app/features/checkout/use-delivery-fee.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import { emptyOrderForm, type OrderForm, orderTextsOf } from "#app/features/delivery/delivery-form.ts";
import { isAddressField, shippingFields } from "#app/features/delivery/shipping-form.ts";
import { currentShop } from "#app/lib/pages/current-shop.ts";
import { RetryNote } from "#app/office/components/retry-note.tsx";
import { useUnsavedChanges } from "#app/office/components/unsaved-changes.tsx";
import { useAdminMutation } from "#app/office/frame/admin-data.ts";
import type { Caller } from "#app/office/frame/callers/caller.admin-queries.ts";
import { CallerChoice } from "#app/office/frame/callers/caller-choice.tsx";
import { useDuty } from "#app/office/frame/duties.tsx";
import { KeptNote } from "#app/office/frame/kept-note.tsx";
import { AddLine } from "#app/office/frame/lines/add-line.tsx";
import { orderDetailsPath } from "#app/office/frame/order-number.ts";
import { useKeptForm } from "#app/office/frame/use-kept.ts";
import { isSent } from "#shared/orders/delivery.ts";
import { formatCedis, pesewasFromCedis, sumPesewas } from "#shared/text/money.ts";
import { placeOrderFor } from "./order.admin-queries.ts";
import {
  addCopy,
  asPhoned,
  booksTotal,
  filledFor,
  findPhoneErrors,
  type PhoneLine,
  withoutFilled,
} from "./phone-order.ts";
import { PhoneOrderLines } from "./phone-order-lines.tsx";

/** Completes the sentence 'Delivery …'. */
function deliveryText(shipping: Shipping): string {
  if (typeof shipping === "number") return formatCedis(shipping);
  return shipping === "needs-region" ? "depends on the region" : "is being worked out";
}

/** What a phone order has beside its texts: whose details filled it in, and its books. */
type Beside = {
  filled: { caller: Caller; before: OrderForm; after: OrderForm } | null;
  lines: readonly PhoneLine[];
};

const nothingChosen: Beside = { filled: null, lines: [] };

/** An order that staff enter while its customer is on the phone; placed once, however often it is sent. */
export function PhoneOrderForm() {
  const findsAccounts = useDuty("people");
  const navigate = useNavigate();
  const [filled, setFilled] = useState<Beside["filled"]>(null);
  const caller = filled?.caller ?? null;
  const [lines, setLines] = useState<Beside["lines"]>([]);
  const downloaded = isDownloaded(lines.map((book) => ({ book })));
  const form = useKeptForm<OrderForm, Beside>({
    kept: "order new",
    beside: {
      start: nothingChosen,
      values: { filled, lines },
      restore(typed) {
        if (typed.filled !== undefined) setFilled(typed.filled);
        if (typed.lines) setLines(typed.lines);
      },
    },
    fields: emptyOrderForm,
    rules: (typed) => findPhoneErrors(asPhoned(typed, downloaded)),
    onInvalid: (errors) => showToast("error", Object.values(errors).join()),
    // The mutation shows why it failed.
    send: (typed, { attempt }) => place.mutateAsync({ orderId: attempt, typed }).catch(readAgain),
  });
  const { shipping, readAgain } = useDeliveryFee(asPhoned(form.values, downloaded), booksTotal(lines));
  const hasAddress = !downloaded && isSent(form.values.delivery_method);
  const isUnknown = shipping === "loading" || shipping === "failed";
  const fee = typeof shipping === "number" ? shipping : pesewasFromCedis(0);
  const total = sumPesewas([booksTotal(lines), fee]);
  const place = useAdminMutation({
    run: (client, { orderId, typed }: { orderId: string; typed: OrderForm }) =>
      placeOrderFor(client, {
        orderId,
        customerId: caller?.id ?? null,
        lines,
        total,
        texts: orderTextsOf(asPhoned(typed, downloaded)),
      }),
    success: ({ number }) => ({ title: `Order ${number} placed` }),
    failure: "Failed to place the order",
    onError: (error) => {
      form.kept.onRefused(error);
    },
    onSuccess: (order) => {
      form.kept.forget();
      void navigate(orderDetailsPath(order));
    },
  });

  const { question } = useUnsavedChanges((form.dirty || lines.length > 0) && !place.isSuccess, {
    links: true,
    kept: form.kept,
  });

  function choose(chosen: Caller | null) {
    if (!chosen) {
      const { before, after } = filled ?? {};
      if (before && after) form.setValues((typed) => withoutFilled(typed, after, before));
      setFilled(null);
    } else {
      const after = filledFor(form.values, chosen);
      setFilled({ caller: chosen, before: form.values, after });
      form.setValues(() => after);
    }
  }

  return (
    <div className="flex max-w-3xl flex-col gap-8">
      <KeptNote kept={form.kept} className="" />
      {question}
      {findsAccounts && <CallerChoice caller={caller} onChoose={choose} />}
      <section aria-labelledby="phone-books">
        <h2 id="phone-books" className="mb-3 text-20">
          Books
        </h2>
        <PhoneOrderLines lines={lines} onChange={setLines} />
        <AddLine
          added={new Set(lines.map(({ id }) => id))}
          there="In the order"
          onAdd={(book) => setLines((before) => [...before, { ...book, quantity: 1 }])}
          onAgain={(id) => setLines((before) => addCopy(before, id, MAX_QUANTITY))}
        />
      </section>
      <form {...form.formProps} aria-labelledby="phone-recipient">
        <h2 id="phone-recipient" className="mb-3 text-20">
          Recipient and delivery
        </h2>
        <div className="grid gap-4 sm:grid-cols-2">
          {shippingFields
            .filter(({ name }) => hasAddress || !isAddressField(name))
            .map(({ name, label, type, length }) => (
              <InputField
                key={name}
                label={name === "email" || name === "postalCode" ? `${label} (optional)` : label}
                type={type}
                autoComplete="off"
                maxLength={length}
                {...form.field(name)}
              />
            ))}
        </div>
        {downloaded ? (
          <p className="mt-4">Everything in it is digital: nothing has to be delivered.</p>
        ) : (
          <div className="mt-4">
            <DeliveryFields forStaff fees={currentShop().deliveryFees} form={form} />
          </div>
        )}
        <p className="figures mt-5 text-17">
          {shipping !== 0 && <span className="text-muted">Delivery {deliveryText(shipping)}. </span>}
          Total {typeof shipping === "string" && "from "}
          <strong className="font-semibold">{formatCedis(total)}</strong>
        </p>
        {shipping === "failed" && (
          <RetryNote message="Failed to work out the delivery fee" onTryAgain={readAgain} />
        )}
        <p className="mt-1 text-muted">
          {form.values.email.trim()
            ? `The confirmation goes to ${form.values.email.trim()}.`
            : "Without an email address, no confirmation is sent."}
        </p>
        <Button type="submit" className="mt-3" busy={form.busy} disabled={lines.length === 0 || isUnknown}>
          Place order
        </Button>
      </form>
    </div>
  );
}
