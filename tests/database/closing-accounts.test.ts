import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectSerial } from "#tests/support/at-once.ts";
import { addBook, addCustomer, addStaff, fillCart, order } from "#tests/support/database-factories.ts";
import { describeDatabase } from "#tests/support/describe-database.ts";
import { refusalOf, type SignedIn, secretKey } from "#tests/support/people.ts";

describeDatabase("A customer who closes their account", (open) => {
  let admin: SignedIn;
  let customer: SignedIn;
  let orderId: string;
  beforeAll(async () => {
    admin = await addStaff(open(), "admin");
  });
  beforeEach(async () => {
    customer = await addCustomer(open());
    orderId = await order(open(), customer, [[await addBook(open(), { price: 50 }), 1]]);
    await open().query("update public.orders set recipient_name = 'Ama' where id = $1", [orderId]);
  });

  const close = (who: SignedIn = customer) =>
    open().as(secretKey, (query) =>
      query<{ kept: number }>("select public.close_account($1) as kept", [who.id]),
    );
  const setStatus = (status: string) =>
    open().as(admin, (query) =>
      query("update public.orders set status = $2 where id = $1", [orderId, status]),
    );
  const names = async () => {
    const [row] = await open().query<{ names: string[] }>(
      "select jsonb_build_array(p.full_name, o.recipient_name) as names from public.profiles p join public.orders o on o.user_id = p.id where p.id = $1",
      [customer.id],
    );
    return row?.names;
  };

  for (const status of ["pending", "processing", "shipped"]) {
    test(`is refused while an order is ${status}, which is named, and nothing is forgotten`, async () => {
      if (status !== "pending") await setStatus(status);
      const before = await names();
      const [row] = await open().query<{ number: number }>(
        "select number::int from public.orders where id = $1",
        [orderId],
      );
      const refusal = await refusalOf(close());
      expect([refusal.detail, refusal.message]).toEqual([
        { code: "order_not_delivered" },
        `Order ${row?.number} has not been delivered yet. You can close your account once it has been delivered or cancelled.`,
      ]);
      expect(before).toEqual(["A customer", "Ama"]);
      expect(await names()).toEqual(before);
    });
  }

  for (const status of ["delivered", "cancelled"]) {
    test(`is forgotten once every order is ${status}, and the orders stay`, async () => {
      await setStatus(status);
      expect(await close()).toEqual([{ kept: 1 }]);
      expect(await names()).toEqual([null, null]);
    });
  }

  describe("who also ordered by phone", () => {
    let byPhone: string;
    beforeEach(async () => {
      await setStatus("delivered");
      const book = await addBook(open(), { price: 20, stock: 5 });
      const [row] = await open().as(admin, (query) =>
        query<{ id: string }>(
          "select public.place_order_for(gen_random_uuid(), null, array[$1::uuid], array[1], 20, $2::jsonb) as id",
          [
            book.id,
            {
              shipping_address: "5 Castle Road",
              recipient_name: "Ama",
              recipient_email: `${customer.id.toUpperCase()}@shop.test`,
              recipient_phone: "024 412 3456",
            },
          ],
        ),
      );
      byPhone = String(row?.id);
      await setPhone("+233 24 412 3456");
    });
    const setPhone = (phone: string) =>
      open().query("update public.profiles set phone = $2 where id = $1", [customer.id, phone]);
    const setTheirs = (status: string) =>
      open().as(admin, (query) =>
        query("update public.orders set status = $2 where id = $1", [byPhone, status]),
      );
    const otherRows = () =>
      open().query(
        "select recipient_name, recipient_email, recipient_phone from public.orders where id = $1",
        [byPhone],
      );
    const nothing = { recipient_name: null, recipient_email: null, recipient_phone: null };

    test("under their confirmed email and phone number has those orders anonymised too", async () => {
      await setTheirs("delivered");
      expect(await close()).toEqual([{ kept: 2 }]);
      expect(await otherRows()).toEqual([nothing]);
    });

    test("keeps the orders of another caller for whom staff gave the same email", async () => {
      await setPhone("020 765 4321");
      expect(await close()).toEqual([{ kept: 1 }]);
      expect(await otherRows()).toMatchObject([{ recipient_name: "Ama" }]);
    });

    test("is refused while that order has not been delivered", async () => {
      expect((await refusalOf(close())).detail).toEqual({ code: "order_not_delivered" });
      expect(await otherRows()).toMatchObject([{ recipient_name: "Ama" }]);
    });

    test("keeps orders under an email that they have not confirmed", async () => {
      await open().query("update auth.users set email_confirmed_at = null where id = $1", [customer.id]);
      expect(await close()).toEqual([{ kept: 1 }]);
      expect(await otherRows()).toMatchObject([{ recipient_name: "Ama" }]);
    });
  });

  test("is refused while they are owed a refund", async () => {
    await open().as(admin, (query) =>
      query("select public.record_payment(gen_random_uuid(), $1, 'payment', 'cash', 50, '2026-01-01')", [
        orderId,
      ]),
    );
    await setStatus("cancelled");
    expect((await refusalOf(close())).detail).toEqual({ code: "payment_in_doubt" });
    expect((await names())?.[0]).toBe("A customer");
  });

  test("is refused as an admin", async () => {
    expect((await refusalOf(close(admin))).detail).toEqual({ code: "is_admin" });
  });

  test("loses no order that they place in another tab at that moment", async () => {
    const responses = await expectSerial(open(), async () => {
      const person = await addCustomer(open());
      await fillCart(open(), person, [[await addBook(open(), { price: 20, stock: 5 }), 1]]);
      const place =
        "insert into public.orders (user_id, total_amount, recipient_name) values ($1, 20, 'Ama') returning id";
      return {
        requests: [
          [person, place, [person.id]],
          [secretKey, "select public.close_account($1)", [person.id]],
        ],
        see: () =>
          open().query(
            "select p.full_name, o.recipient_name from public.profiles p left join public.orders o on o.user_id = p.id where p.id = $1",
            [person.id],
          ),
      };
    });
    expect(responses).toEqual([
      ["done", "order_not_delivered"],
      ["cart_empty", "done"],
    ]);
  });
});
