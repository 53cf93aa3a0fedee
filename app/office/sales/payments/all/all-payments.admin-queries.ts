import type { BackendClient } from "#app/lib/backend/client.ts";
import { unwrap, unwrapDone } from "#app/lib/backend/response.ts";
import { LIST_PAGE_SIZE } from "#app/lib/react/list-state.ts";
import type { ListPage } from "#app/office/frame/admin-list.tsx";
import { cedisFromPesewas, type Pesewas, pesewasFromCedis } from "#shared/text/money.ts";
import { isUuid } from "#shared/text/uuid.ts";

/** Empty means all; days as '2026-11-26'. */
export type PaymentFilters = {
  q: string;
  method: string;
  state: string;
  kind: string;
  from: string;
  to: string;
  /** The id of the person who recorded or decided them. */
  by: string;
};

const argumentsOf = ({ q, method, state, kind, from, to, by }: PaymentFilters) => ({
  _q: q || undefined,
  _method: method || undefined,
  _state: state || undefined,
  _kind: kind || undefined,
  _from: from || undefined,
  _to: to || undefined,
  _by: isUuid(by) ? by : undefined,
});

/** Everyone who recorded or decided a payment, by name. @throws BackendFailure */
export async function listPaymentPeople(client: BackendClient) {
  return unwrap(await client.rpc("list_payment_people"));
}

/** One page of payments. @throws BackendFailure */
export async function findPayments(
  client: BackendClient,
  filters: PaymentFilters,
  { page, descending, size = LIST_PAGE_SIZE }: { page: number; descending: boolean; size?: number },
) {
  const rows = unwrap(
    await client.rpc("admin_find_payments", {
      ...argumentsOf(filters),
      _descending: descending,
      _page: page,
      _page_size: size,
    }),
  );
  return rows.map((row) => ({ ...row, amount: pesewasFromCedis(row.amount) }));
}

export type FoundPayment = Awaited<ReturnType<typeof findPayments>>[number];

/** How many payments match, and the totals of the settled ones. @throws BackendFailure */
export async function sumPayments(client: BackendClient, filters: PaymentFilters) {
  const sums = unwrap(await client.rpc("admin_sum_payments", argumentsOf(filters)).single());
  return {
    total: sums.found,
    paid: pesewasFromCedis(sums.paid),
    refunded: pesewasFromCedis(sums.refunded),
  };
}

type Sums = Awaited<ReturnType<typeof sumPayments>>;

/** @throws BackendFailure */
export async function listPaymentPage(
  client: BackendClient,
  filters: PaymentFilters,
  place: { page: number; descending: boolean },
): Promise<ListPage<FoundPayment> & { sums: Sums }> {
  const [rows, sums] = await Promise.all([
    findPayments(client, filters, place),
    sumPayments(client, filters),
  ]);
  return { rows, total: sums.total, sums };
}

/** The total of a day's payments by one method, and the latest closing; null before the first. */
export type Closing = {
  method: string;
  expected: Pesewas;
  payments: number;
  closed: {
    expected: Pesewas;
    counted: Pesewas;
    note: string | null;
    by: string | null;
    at: string;
  } | null;
};

/** @throws BackendFailure */
export async function listClosings(client: BackendClient, day: string): Promise<Closing[]> {
  const rows = unwrap(await client.rpc("list_closings", { _day: day }));
  return rows.map((row) => ({
    method: row.method,
    expected: pesewasFromCedis(row.expected),
    payments: row.payments,
    // The generated types don't know that a left join returns null.
    closed:
      (row.closed_at as string | null) === null
        ? null
        : {
            expected: pesewasFromCedis(row.closed_expected),
            counted: pesewasFromCedis(row.counted),
            note: row.note,
            by: row.by_name,
            at: row.closed_at,
          },
  }));
}

export type DayToClose = {
  /** Set once by the form, so that a retry doesn't close the day twice. */
  id: string;
  day: string;
  method: string;
  /** The total that was shown to the person who counted. */
  expected: Pesewas;
  counted: Pesewas;
  note: string;
};

/** @throws BackendFailure, with the code `takings_changed` when the payments have changed since */
export async function closeDay(
  client: BackendClient,
  { id, day, method, expected, counted, note }: DayToClose,
): Promise<void> {
  unwrapDone(
    await client.rpc("close_day", {
      _id: id,
      _day: day,
      _method: method,
      _expected: cedisFromPesewas(expected),
      _counted: cedisFromPesewas(counted),
      _note: note,
    }),
  );
}
