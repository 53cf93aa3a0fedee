import type { KeyboardEvent } from "react";
import type { FormPart, useForm } from "#app/components/use-form.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import type { OrderForm } from "#app/features/delivery/delivery-form.ts";
import { DownloadFields, ShippingFields } from "#app/features/delivery/shipping-fields.tsx";
import { currentShop } from "#app/lib/pages/current-shop.ts";

const isEnterInField = ({ key, target }: KeyboardEvent) =>
  key === "Enter" && target instanceof HTMLInputElement;

/** Enter in a field moves the focus to the button: on a phone it is easily tapped by mistake, and would place the order. */
const leadToButton = {
  onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (isEnterInField(event)) event.preventDefault();
  },
  // Only when the key is up: while it is held, it would press the button.
  onKeyUp(event: KeyboardEvent<HTMLFormElement>) {
    if (isEnterInField(event))
      document.querySelector<HTMLElement>(`button[form="${event.currentTarget.id}"]`)?.focus();
  },
};

type CheckoutFormProps = {
  /** For the submit button, which is elsewhere on the page. */
  id: string;
  form: FormPart<OrderForm> & Pick<ReturnType<typeof useForm>, "formProps">;
  /** Whether nothing has to be delivered. */
  isDownloaded: boolean;
};

/** The shipping form; for digital titles alone, only who receives them. */
export function CheckoutForm({ id, form, isDownloaded }: CheckoutFormProps) {
  return (
    <form id={id} {...form.formProps} {...leadToButton} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className="text-25">
        {isDownloaded ? "Your details" : "Shipping Information"}
      </h2>
      {isDownloaded && (
        <p className="measure mt-1 text-15 text-muted">
          Nothing has to be delivered: once the order is paid, you'll find everything on its page.
        </p>
      )}
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        {isDownloaded ? <DownloadFields form={form} /> : <ShippingFields form={form} />}
      </div>
      {!isDownloaded && (
        <div className="mt-5">
          <DeliveryFields foldsOptional fees={currentShop().deliveryFees} form={form} />
        </div>
      )}
    </form>
  );
}
