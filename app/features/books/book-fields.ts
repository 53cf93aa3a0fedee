import type { Database } from "#shared/calls/database.types.ts";
import type { NamesOf } from "#shared/calls/names-of.ts";
import type { InPesewas, Pesewas } from "#shared/text/money.ts";
import { DIGITAL_BY, type DigitalBy, digitalByNames, kindNames } from "./kind-names.ts";
import { BOOK_KINDS, type BookKind } from "./kinds.ts";
import { SALE_STATES, type SaleState, saleStateNames } from "./sale-states.ts";

/**
 * The fields of a book that staff edit, in the order of an export. The columns that are read, the form's rules,
 * labels, import, export and the activity log follow from this list; private.book_texts is the database's half of it.
 */

type BookRow = Database["public"]["Tables"]["books"]["Row"];

type FieldDefinition = {
  name: keyof BookRow;
  label: string;
  kind: "text" | "money" | "count" | "choice";
  /** The most characters that the database takes. */
  limit?: number;
  /** The form requires it. */
  required?: true;
  /** Cards show it or draw their cover from it; anything else would only make pages larger. */
  onCard?: true;
  /**
   * Suppliers' headings for it, as `compactHeading` writes them; if a table has several, the first in this list is
   * read.
   */
  headings: string;
};

export const bookFields = [
  {
    name: "title",
    label: "Title",
    kind: "text",
    limit: 500,
    required: true,
    onCard: true,
    headings:
      "title booktitle titleofbook bookname nameofbook productname producttitle product name book booktitles titles",
  },
  {
    name: "authors",
    label: "Authors",
    kind: "text",
    limit: 1_000,
    onCard: true,
    headings: "authors author authorname authornames nameofauthor nameofauthors writtenby by",
  },
  {
    name: "publisher",
    label: "Publisher",
    kind: "text",
    limit: 200,
    required: true,
    onCard: true,
    headings: "publisher publishername nameofpublisher publisherbrand imprint brand publishers",
  },
  {
    name: "isbn",
    label: "ISBN",
    kind: "text",
    limit: 40,
    required: true,
    onCard: true,
    headings: "isbn13 isbn isbnno isbnnumber isbncode isbn13no isbnean ean13 ean barcode isbn10",
  },
  {
    name: "price",
    label: "Price",
    kind: "money",
    required: true,
    onCard: true,
    headings:
      "price sellingprice retailprice unitprice listprice salesprice saleprice bookprice priceunit priceeach pricepercopy rrp srp amount",
  },
  {
    name: "stock_quantity",
    label: "Stock Quantity",
    kind: "count",
    headings:
      "stockquantity stock quantity qty quantityinstock qtyinstock stockqty stockonhand qtyonhand onhand instock stocklevel available availablestock soh copies",
  },
  {
    name: "course",
    label: "Course",
    kind: "text",
    limit: 200,
    onCard: true,
    headings: "course series programme",
  },
  {
    name: "subject",
    label: "Subject",
    kind: "text",
    limit: 200,
    onCard: true,
    headings: "subject subjectarea category",
  },
  {
    name: "grade_level",
    label: "Grade Level",
    kind: "text",
    limit: 200,
    onCard: true,
    headings: "gradelevel grade level class classlevel yeargroup stage form",
  },
  {
    name: "age_range",
    label: "Age Range",
    kind: "text",
    limit: 200,
    headings: "agerange agegroup ages age",
  },
  {
    name: "curriculum_type",
    label: "Curriculum Type",
    kind: "text",
    limit: 200,
    headings: "curriculumtype curriculum",
  },
  {
    name: "edition",
    label: "Edition",
    kind: "text",
    limit: 200,
    onCard: true,
    headings: "edition",
  },
  {
    name: "description",
    label: "Description",
    kind: "text",
    limit: 10_000,
    headings: "description blurb summary about details",
  },
  {
    name: "image_url",
    label: "Cover image",
    kind: "text",
    limit: 2_000,
    onCard: true,
    headings: "imageurl image coverurl coverimage",
  },
  {
    name: "shelf",
    label: "Shelf Place",
    kind: "text",
    limit: 60,
    headings: "shelfplace shelf shelfno shelfnumber bin binlocation shelflocation location rack",
  },
  {
    name: "kind",
    label: "Kind",
    kind: "choice",
    onCard: true,
    headings: "kind type producttype itemtype titletype productkind kindofproduct typeofproduct",
  },
  {
    name: "digital_by",
    label: "Delivered as",
    kind: "choice",
    onCard: true,
    headings: "deliveredas digitalby deliveredby digitaldelivery digitaltype",
  },
  {
    name: "sale_state",
    label: "Status",
    kind: "choice",
    headings: "salestate",
  },
  {
    name: "available_on",
    label: "Available on",
    kind: "text",
    limit: 10,
    headings: "availableon",
  },
  {
    name: "newer_isbn",
    label: "Newer Edition",
    kind: "text",
    limit: 40,
    headings:
      "neweredition newereditionisbn newerisbn isbnofneweredition neweditionisbn isbnofnewedition newedition replacedby replacedbyisbn supersededby supersededbyisbn replacementisbn replacement",
  },
] as const satisfies readonly FieldDefinition[];

type Field = (typeof bookFields)[number];
export type BookField = Field["name"];

/** A title as staff edit it, with everything that the form and the import require; only a book needs an ISBN. */
export type BookValues = {
  [F in Field as F["name"]]: F extends { kind: "text" }
    ? F extends { name: "title" | "publisher" }
      ? string
      : string | null
    : F extends { kind: "money" }
      ? Pesewas
      : F extends { kind: "count" }
        ? number
        : F extends { name: "kind" }
          ? BookKind
          : F extends { name: "sale_state" }
            ? SaleState
            : DigitalBy | null;
};

type TextField = Extract<Field, { kind: "text" }>;
const textFields: readonly TextField[] = bookFields.filter((field) => field.kind === "text");

export const bookFieldNames: readonly BookField[] = bookFields.map(({ name }) => name);

/** The field's name on pages and in exports; amounts say their currency. */
export function bookFieldLabel(name: BookField): string {
  const field = bookFields.find((field) => field.name === name);
  return field?.kind === "money" ? `${field.label} (GH₵)` : (field?.label ?? name);
}

/** The choices of a field of the kind 'choice', by value. */
export const bookChoices = {
  kind: BOOK_KINDS.map((value) => ({ value, label: kindNames[value] })),
  digital_by: DIGITAL_BY.map((value) => ({ value, label: digitalByNames[value] })),
  sale_state: SALE_STATES.map((value) => ({ value, label: saleStateNames[value] })),
} as const;

/** A choice as staff read it; anything else as it is. */
export function choiceLabel(name: string, value: string): string {
  const choices: readonly { value: string; label: string }[] = Object.hasOwn(bookChoices, name)
    ? bookChoices[name as keyof typeof bookChoices]
    : [];
  return choices.find((choice) => choice.value === value)?.label ?? value;
}

/** The most characters that the database takes. */
export function longestText(name: TextField["name"]): number {
  return textFields.find((field) => field.name === name)?.limit ?? 0;
}

/** Whether the form requires the field. */
export function isRequired(name: BookField): boolean {
  return bookFields.some((field) => field.name === name && "required" in field);
}

/** Every field, for the form and the export; a comma follows the last. */
export const BOOK_COLUMNS = bookFields.map(({ name }) => `${name},`).join("") as NamesOf<typeof bookFields>;

const cardFields = bookFields
  .filter((field) => "onCard" in field)
  .map(({ name }) => `${name},`)
  .join("") as NamesOf<typeof bookFields, { onCard: true }>;

/** What a card shows; its stock is what customers can order: see left-words.ts. */
export const CARD_COLUMNS = `id,stock_quantity:for_sale,${cardFields}average_rating,review_count` as const;

type CardField =
  | Extract<Field, { onCard: true }>["name"]
  | "id"
  | "stock_quantity"
  | "average_rating"
  | "review_count";

export type CardRow = Pick<BookRow, CardField>;

export type CardBook = InPesewas<CardRow, "price">;
