import { PageIntro } from "#app/components/page-intro.tsx";
import { LawLink } from "./data-note.tsx";
import type { Block, Words } from "./law-text.ts";

export type LawDocumentProps = {
  title: string;
  /** Such as the version and its date. */
  note: string | null;
  blocks: readonly Block[];
  /** The other page of the same version of the terms. */
  other?: { label: string; to: string } | null;
};

/** A page of the law. Static: it is read, printed and saved without JavaScript. */
export function LawDocument({ title, note, blocks, other }: LawDocumentProps) {
  return (
    <>
      <PageIntro title={title} />
      <div className="page pb-20 sm:pb-28">
        <div className="measure">
          {note && (
            <p className="mt-2 text-15 text-muted">
              {note}
              {other && (
                <>
                  . <LawLink page={other} /> of this version
                </>
              )}
            </p>
          )}
          {blocks.map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page never change
            <LawBlock key={index} block={block} />
          ))}
        </div>
      </div>
    </>
  );
}

function LawBlock({ block }: { block: Block }) {
  if (block.kind === "heading")
    return <h2 className="mt-10 text-20 break-after-avoid sm:text-25">{block.text}</h2>;
  if (block.kind === "paragraph")
    return (
      <p className="mt-3 wrap-anywhere">
        <Line words={block.words} />
      </p>
    );
  if (block.kind === "list")
    return (
      <ul className="mt-3 list-disc pl-6">
        {block.items.map((words, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a page never change
          <li key={index} className="mt-1.5 wrap-anywhere">
            <Line words={words} />
          </li>
        ))}
      </ul>
    );
  return (
    <dl className="mt-3 border-t border-line">
      {block.facts.map(({ name, value }) => (
        <div
          key={name}
          className="break-inside-avoid gap-x-6 border-b border-line py-2.5 sm:grid sm:grid-cols-[13rem_1fr]"
        >
          <dt className="font-semibold">{name}</dt>
          <dd className="wrap-anywhere text-muted">
            <Line words={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Line({ words }: { words: readonly Words[] }) {
  return words.map((piece, index) =>
    typeof piece === "string" ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a line never change
      <mark key={index} className="bg-gold-tint px-1 text-gold-ink">
        [{piece.blank}]
      </mark>
    ),
  );
}
