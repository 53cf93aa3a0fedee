import { type FormEvent, useId, useState } from "react";
import { Button, buttonClass } from "#app/components/button.tsx";
import { TextareaField } from "#app/components/field.tsx";
import { logFailure } from "#app/lib/backend/failure-message.ts";
import { decodeText } from "#shared/tables/decode-text.ts";
import { needsWorkbookReader } from "#shared/tables/workbook.ts";
import { countOf } from "#shared/text/count-of.ts";
import { type OrderLine, readOrderLines } from "./order-lines.ts";
import { MAX_LINES } from "./pad.ts";

const MEGABYTE = 1024 * 1024;
/** Of text. A workbook may have a school's crest in it. */
const MAX_MEGABYTES = 1;
const MAX_WORKBOOK_MEGABYTES = 10;

const EXAMPLE = "9781108743587, 40\n978-1-108-74666-3; 35\nPrimary Maths 2\t25";

type OrderInputProps = {
  /** How many lines the pad already has. */
  taken: number;
  onLines: (lines: OrderLine[]) => void;
};

/** Takes lines that are typed, pasted from a spreadsheet, or read from a file. */
export function OrderInput({ taken, onLines }: OrderInputProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const fileId = useId();

  function take(written: string) {
    const lines = readOrderLines(written);
    const tooMany = taken + lines.length > MAX_LINES;
    if (lines.length === 0)
      setProblem("There is nothing to check yet. Enter an ISBN or title and a quantity on each line.");
    else if (tooMany)
      setProblem(
        `An order can have up to ${MAX_LINES} lines. This ${taken > 0 ? "would make" : "is"} ${countOf(taken + lines.length, "line")}.`,
      );
    else {
      setProblem(null);
      setText("");
      onLines(lines);
      return;
    }
    setText(written);
  }

  async function open(file: File | undefined) {
    if (!file) return;
    setNote(null);
    try {
      const isTable = needsWorkbookReader(new Uint8Array(await file.slice(0, 4).arrayBuffer()));
      const most = isTable ? MAX_WORKBOOK_MEGABYTES : MAX_MEGABYTES;
      if (file.size > most * MEGABYTE)
        return setProblem(`The file is larger than ${most} MB. It can have up to ${MAX_LINES} lines.`);
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (!isTable) return take(decodeText(bytes).text);
      const { readWorkbookLines } = await import("./workbook-lines.ts");
      const read = await readWorkbookLines(bytes);
      if ("problem" in read) return setProblem(read.problem);
      setNote(read.note);
      take(read.text);
    } catch (error) {
      logFailure("Reading a list failed", error);
      setProblem("The file can't be read. Choose it again.");
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    take(text);
  }

  return (
    <form method="dialog" onSubmit={submit} className="max-w-3xl">
      <TextareaField
        label="Your list"
        name="lines"
        rows={7}
        autoComplete="off"
        spellCheck={false}
        placeholder={EXAMPLE}
        hint={`One line for each title: its ISBN or title, then the quantity. Copy the columns straight from Excel, with or without headings. Up to ${MAX_LINES} lines.`}
        error={problem}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button type="submit" size="large" variant={taken > 0 ? "secondary" : "primary"}>
          {taken > 0 ? "Check and add lines" : "Check lines"}
        </Button>
        <span>
          <input
            id={fileId}
            type="file"
            accept=".xlsx,.xlsm,.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
            className="peer sr-only"
            onChange={(event) => {
              void open(event.target.files?.[0]);
              // So that the same file, corrected, can be chosen again.
              event.target.value = "";
            }}
          />
          <label
            htmlFor={fileId}
            className={`${buttonClass({ variant: "secondary", size: "large" })} cursor-pointer peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-sky`}
          >
            Upload an Excel or CSV file
          </label>
        </span>
      </div>
      <p role="status" className={note && !problem ? "mt-3 text-15" : "sr-only"}>
        {problem ?? note}
      </p>
    </form>
  );
}
