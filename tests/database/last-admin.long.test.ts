import { expect, test } from "vitest";
import { expectSerial, type Request, type Scene } from "#tests/support/at-once.ts";
import { addCustomer, addStaff } from "#tests/support/database-factories.ts";
import { describeOnOwnServerToo } from "#tests/support/describe-database.ts";
import type { SignedIn } from "#tests/support/people.ts";

const give = (by: SignedIn, to: SignedIn, role: string): Request => [
  by,
  "insert into public.user_roles (user_id, role) values ($1, $2) returning role",
  [to.id, role],
];
const take = (by: SignedIn, from: SignedIn): Request => [
  by,
  "delete from public.user_roles where user_id = $1 returning role",
  [from.id],
];

describeOnOwnServerToo("Two concurrent requests about the last admins", (open) => {
  /** The given number of admins, no others, and a customer. */
  async function newStaff(admins: number): Promise<SignedIn[]> {
    const staff = [];
    for (let n = 0; n < admins; n += 1) staff.push(await addStaff(open(), "admin"));
    const ids = staff.map(({ id }) => id);
    await open().query("delete from public.user_roles where user_id <> all ($1::uuid[])", [ids]);
    return [...staff, await addCustomer(open())];
  }

  test.each<[string, number, (people: SignedIn[]) => Scene["requests"], string[][]]>([
    [
      "give the role away and take the giver's",
      2,
      ([first, second, customer]) => [
        give(first as SignedIn, customer as SignedIn, "admin"),
        take(second as SignedIn, first as SignedIn),
      ],
      [
        ["done", "done"],
        ["admin_only", "done"],
      ],
    ],
    [
      "give it to another and step down",
      1,
      ([admin, customer]) => [
        give(admin as SignedIn, customer as SignedIn, "admin"),
        take(admin as SignedIn, admin as SignedIn),
      ],
      [
        ["done", "done"],
        ["done", "last_admin"],
      ],
    ],
    [
      "take each other's",
      2,
      ([first, second]) => [
        take(first as SignedIn, second as SignedIn),
        take(second as SignedIn, first as SignedIn),
      ],
      [
        ["done", "admin_only"],
        ["admin_only", "done"],
      ],
    ],
    [
      "make one person a moderator and an admin",
      2,
      ([first, second, customer]) => [
        give(first as SignedIn, customer as SignedIn, "moderator"),
        give(second as SignedIn, customer as SignedIn, "admin"),
      ],
      [
        ["done", "done"],
        ["done", "done"],
      ],
    ],
  ])(
    "that %s leave an admin, with the same result as one after the other",
    async (_, admins, requests, responses) => {
      const make = async (): Promise<Scene> => {
        const people = await newStaff(admins);
        const see = async () => {
          const roles = await open().query<{ user_id: string; role: string }>(
            "select user_id, role from public.user_roles",
          );
          expect(roles.filter(({ role }) => role === "admin").length).toBeGreaterThan(0);
          return people.map(({ id }) =>
            roles.filter(({ user_id }) => user_id === id).map(({ role }) => role),
          );
        };
        return { requests: requests(people), see };
      };
      expect(await expectSerial(open(), make)).toEqual(responses);
    },
  );
});
