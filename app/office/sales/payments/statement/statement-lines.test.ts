import { describe, expect, it } from "vitest";
import { readBookTable } from "#app/office/catalogue/book-import/book-table.ts";
import { mappingOf } from "#app/office/catalogue/import/column-choices.ts";
import {
  guessMethod,
  missingStatementColumn,
  statementColumns,
  suggestStatementChoices,
  withOwnHeadings,
} from "./statement-columns.ts";
import { readStatement } from "./statement-lines.ts";

const TODAY = "2026-11-27";
const utf8 = (text: string) => new TextEncoder().encode(text);
/** Windows-1252 bytes of a text; its letters have the same codes in Unicode. */
const western = (text: string) => Uint8Array.from([...text], (letter) => letter.charCodeAt(0));

/** The lines of a file, read by the worker with the suggested columns. */
function read(bytes: Uint8Array) {
  const table = withOwnHeadings(readBookTable(bytes, statementColumns));
  const choices = suggestStatementChoices(table);
  expect(missingStatementColumn(choices)).toBeNull();
  const { credits, leftOut } = readStatement(table.rows, mappingOf(choices, table.headings), TODAY);
  return { choices, credits, leftOut, method: guessMethod(choices) };
}

const brief = ({ credits }: ReturnType<typeof read>) =>
  credits.map(({ line, amount, day, reference }) => [line, amount, day, reference]);

describe("A statement of mobile money", () => {
  it("of a person is read by its balances, whatever its types are called", () => {
    const statement = read(
      utf8(
        [
          "MTN MOBILE MONEY STATEMENT,,,,,,,,,,,,,",
          "Account holder,Adwene Books,,,,,,,,,,,,",
          "",
          "TRANSACTION DATE,FROM ACCT,FROM NAME,FROM NO.,TRANS. TYPE,AMOUNT,FEES,E-LEVY,BAL BEFORE,BAL AFTER,TO NO.,TO NAME,F_ID,REF",
          '23-Nov-2026 10:15:33 AM,123,AMA SERWAA MENSAH,233244123456,TRANSFER,"1,245.50",0,0,100.00,"1,345.50",233200000001,ADWENE BOOKS,51234567890,order 1023',
          "23-Nov-2026 11:00:01 AM,9,ADWENE BOOKS,233200000001,TRANSFER,50,0.5,0,1345.50,1295.00,233277000000,KOFI,51234567891,rent",
          "24-Nov-2026 08:01:44 AM,77,,233209999999,CASH_IN,45,0,0,1295,1340,233200000001,ADWENE BOOKS,51234567892,",
          "24-Nov-2026 09:00:00 AM,9,ADWENE BOOKS,233200000001,CASH_OUT,40,1,0,1340,1299,,AGENT,51234567893,",
          ",,,,,,,,,,,,,",
        ].join("\r\n"),
      ),
    );
    expect(brief(statement)).toEqual([
      [5, 124_550, "2026-11-23", "51234567890"],
      [7, 4_500, "2026-11-24", "51234567892"],
    ]);
    expect(statement.credits[0]).toMatchObject({
      name: "AMA SERWAA MENSAH",
      phone: "233244123456",
      narration: "order 1023",
    });
    expect(statement.method).toBe("mobile_money");
    expect(statement.leftOut.map(({ line }) => line)).toEqual([1, 2, 6, 8]);
  });

  it("of a merchant leaves out what was not completed or is in another currency", () => {
    const statement = read(
      utf8(
        [
          "Id;External id;Date;Status;Type;To message;From;From name;To;To name;Amount;Currency",
          "4412345678;a1;2026-11-23 10:15:00;Successful;Payment;1023;FRI:233244123456/MSISDN;AMA MENSAH;FRI:shop/USER;Adwene;45.00;GHS",
          "4412345679;a2;2026-11-23 10:16:00;Failed;Payment;1024;FRI:233244123457/MSISDN;YAW;FRI:shop/USER;Adwene;45.00;GHS",
          "4412345680;a3;2026-11-23 10:17:00;Successful;Payment;1025;FRI:233244123457/MSISDN;YAW;FRI:shop/USER;Adwene;45.00;USD",
          "4412345681;a4;2026-11-23 10:18:00;Successful;Cash out;;FRI:shop/USER;Adwene;FRI:bank/USER;Bank;900.00;GHS",
        ].join("\n"),
      ),
    );
    expect(statement.credits).toEqual([
      {
        line: 2,
        amount: 4_500,
        day: "2026-11-23",
        reference: "4412345678",
        name: "AMA MENSAH",
        phone: "FRI:233244123456/MSISDN",
        narration: "1023",
      },
    ]);
    expect(statement.leftOut.map(({ reason }) => reason)).toEqual([
      "Not completed: Failed.",
      "Not in cedis: USD.",
      "Money paid out.",
    ]);
  });
});

describe("A bank's statement", () => {
  const lines = [
    "GHANA COMMERCIAL BANK;;;;;",
    "Account name;Adwene Books Ltd;;;;",
    "Period;01/11/2026 - 30/11/2026;;;;",
    "Currency;GHS;;;;",
    ";;;;;",
    "Trans. Date;Value Date;Narration;Reference No.;Debit (GHS);Credit (GHS);Balance",
    "01/11/2026;01/11/2026;OPENING BALANCE;;;;12,000.00",
    "03/11/2026;04/11/2026;TRF FROM ÉCOLE SAINTE-ANNE ORDER 1023;FT26307ABC;;2,450.00;14,450.00",
    "05/11/2026;05/11/2026;COT CHARGES;FT26309CHG;12.50;0.00;14,437.50",
    "11/23/2026;23/11/2026;TRF 1024;FT26309XYZ;;45.00;14,482.50",
    "26/11/2026;26/11/2026;CHQ DEP;;-;45.00 CR;14,527.50",
    "30/11/2026;30/11/2026;TRF LATER;FT26334AAA;;45.00;14,572.50",
    "TOTAL;;;;12.50;2,585.00;",
  ];
  const expected = [
    [8, 245_000, "2026-11-03", "FT26307ABC"],
    [11, 4_500, "2026-11-26", ""],
  ];

  it.each([
    ["Windows-1252", western(lines.join("\r\n"))],
    ["UTF-8", utf8(lines.join("\n"))],
    ["UTF-8 with tabs", utf8(lines.join("\n").replaceAll(";", "\t"))],
    ["UTF-8 with a mark", utf8(`\ufeff${lines.join("\r\n")}`)],
  ])("in %s is read below its preamble, by the columns of money in and out", (_, bytes) => {
    const statement = read(bytes);
    expect(brief(statement)).toEqual(expected);
    expect(statement.credits[0]?.narration).toBe("TRF FROM ÉCOLE SAINTE-ANNE ORDER 1023");
    expect(statement.method).toBe("bank_transfer");
    expect(statement.leftOut.slice(-5)).toEqual([
      { line: 7, reason: "No amount." },
      { line: 9, reason: "Money paid out." },
      {
        line: 10,
        reason: "The date 11/23/2026 can't be read. Write the day first, such as 23/11/2026.",
      },
      { line: 12, reason: "The date 30/11/2026 is in the future or before 2020." },
      { line: 13, reason: "This looks like a line of totals." },
    ]);
  });

  it("with quoted commas and line breaks keeps its lines", () => {
    const statement = read(
      utf8(
        'Date,Description,Amount,CR/DR,Reference\n"23 Nov 2026","Transfer, from\nAMA","1,200.00",CR,R1\n23 Nov 2026,Fee,3,DR,R2\n',
      ),
    );
    expect(brief(statement)).toEqual([[2, 120_000, "2026-11-23", "R1"]]);
    expect(statement.credits[0]?.narration).toBe("Transfer, from AMA");
  });
});

describe("A table copied without its headings", () => {
  it("is read by what its columns contain", () => {
    const statement = read(
      utf8(
        "23/11/2026\t5123456789\tAma Mensah order 1023\t45.00\n24/11/2026\t5123456790\tYaw Boateng\t120.50\n",
      ),
    );
    expect(statement.choices).toEqual(["day", "reference", "narration", "amount"]);
    expect(brief(statement)).toEqual([
      [1, 4_500, "2026-11-23", "5123456789"],
      [2, 12_050, "2026-11-24", "5123456790"],
    ]);
  });

  it("with headings of its own in another language needs its columns chosen", () => {
    const table = withOwnHeadings(
      readBookTable(utf8("Jour,Libellé,Somme\nhier,x,douze\n"), statementColumns),
    );
    expect(missingStatementColumn(suggestStatementChoices(table))).toBe("Say which column is the date.");
  });
});

it("does not guess the day of a date where others have their month first", () => {
  const days = (...cells: string[]) => {
    const rows = cells.map((cell, at) => `${cell},5,T${at}`);
    const { credits, leftOut } = read(utf8(["Date,Amount,Transaction ID", ...rows].join("\n")));
    return [credits.map(({ day }) => day), leftOut.length];
  };
  expect(days("11/05/2026", "11/13/2026", "11/11/2026", "11/26/2026")).toEqual([["2026-11-11"], 3]);
  // One date that is mistyped says nothing of the others.
  expect(days("11/05/2026", "13/05/2026", "11/26/2026", "20/11/2026")).toEqual([
    ["2026-05-11", "2026-05-13", "2026-11-20"],
    1,
  ]);
});

it("treats a text that is too long for a transaction ID as narration", () => {
  const long = "x".repeat(101);
  const { credits } = read(utf8(`Date,Amount,Transaction ID,Narration\n23/11/2026,5,${long},Ama\n`));
  expect(credits[0]).toMatchObject({ reference: "", narration: `Ama · ${long}` });
});

it("takes a transaction ID that a spreadsheet has shortened as narration: other lines may have the same", () => {
  const { credits } = read(
    utf8(
      "Date,Amount,Transaction ID,Narration\n23/11/2026,5,5.12346E+11,Ama\n23/11/2026,9,5.12346E+11,Yaw\n23/11/2026,9,5E12346A,Esi\n",
    ),
  );
  expect(credits.map(({ reference, narration }) => [reference, narration])).toEqual([
    ["", "Ama · 5.12346E+11"],
    ["", "Yaw · 5.12346E+11"],
    ["5E12346A", "Esi"],
  ]);
});
