import type { FormPart, useForm } from "#app/components/use-form.ts";
import { DeliveryFields } from "#app/features/delivery/delivery-fields.tsx";
import { type OrderForm, orderRules } from "#app/features/delivery/delivery-form.ts";
import { ShippingFields } from "#app/features/delivery/shipping-fields.tsx";

type CheckoutFormProps = {
  /** For the submit button, which is elsewhere on the page. */
  id: string;
  form: FormPart<OrderForm> & Pick<ReturnType<typeof useForm>, "formProps">;
};

/** The shipping form. */
export function CheckoutForm({ id, form }: CheckoutFormProps) {
  return (
    <form id={id} {...form.formProps} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className="text-25">
        Shipping Information
      </h2>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        <ShippingFields form={form} />
      </div>
      <div className="mt-5">
        <DeliveryFields foldsOptional {...orderRules()} form={form} />
      </div>
    </form>
  );
}
