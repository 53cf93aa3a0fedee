import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import {
  addBooklistToCart,
  findBooklist,
  matchBookLines,
  searchBooklists,
} from "#app/features/booklists/booklists.queries.ts";
import { addBook, dataOf, type Member } from "#tests/support/factories.ts";
import { describeContract, newAdmin, newCustomer } from "./target.ts";

describeContract(
  "Booklists through the browser's client",
  (target) => {
    let admin: Member;
    let customer: Member;
    beforeAll(async () => {
      admin = await newAdmin(target());
      customer = await newCustomer(target());
    });

    it("a list is saved, published, found, put into a cart and matched, with prices in pesewas", async () => {
      const book = await addBook(target().owner, { price: 45.5, stock_quantity: 3 });
      const school = `School of ${book.id}`;
      const draft = await dataOf(
        admin.client.rpc("save_booklist", {
          _school: school,
          _class_name: "JHS 1",
          _school_year: "2026/2027",
          _is_listed: true,
          _lines: [{ book_id: book.id, copies: 2 }, { title: "A ruler" }],
        }),
      );
      const visitor = target().client();
      expect(await findBooklist(visitor, draft.code)).toBeNull();
      await dataOf(
        admin.client.rpc("set_booklist_status", {
          _id: draft.id,
          _updated_at: draft.updated_at,
          _status: "published",
        }),
      );
      const list = await findBooklist(visitor, draft.code.toLowerCase());
      expect(list).toMatchObject({ school, lines: [{ copies: 2, book: { price: 4_550 } }, { book: null }] });
      expect(await searchBooklists(visitor, school)).toMatchObject([
        { code: draft.code, class_name: "JHS 1" },
      ]);
      const lineIds = list?.lines.map(({ id }) => id) ?? [];
      const wanted = { code: draft.code, lineIds, children: 2, requestId: randomUUID() };
      for (let sent = 0; sent < 2; sent += 1)
        expect(await addBooklistToCart(customer.client, wanted)).toMatchObject([
          { wanted: 4, added: 4, problem: "few_left" },
          { title: "A ruler", added: 0, problem: "not_sold" },
        ]);
      expect(await matchBookLines(visitor, [book.title, "Nothing like it"])).toMatchObject([
        { line: 1, matches: 1, books: [{ id: book.id, price: 4_550 }] },
        { line: 2, matches: 0, books: [] },
      ]);
    });
  },
  { hosted: false },
);
