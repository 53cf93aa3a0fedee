import { formatMinute } from "#shared/text/dates.ts";
import type { Answer } from "./consultation.ts";

type AnswersProps<Row extends Answer> = {
  answers: readonly Row[];
  /** Who wrote it. */
  by: (answer: Row) => string;
};

/** What the shop answered, in order. */
export function Answers<Row extends Answer>({ answers, by }: AnswersProps<Row>) {
  return (
    <ol aria-label="Answers" className="grid gap-4">
      {answers.map((answer) => (
        <li key={`${answer.created_at} ${answer.body}`} className="border-l-3 border-gold pl-4">
          <p className="text-13 text-muted">
            <bdi>{by(answer)}</bdi>, {formatMinute(answer.created_at)}
          </p>
          <p className="wrap-anywhere whitespace-pre-line">{answer.body}</p>
        </li>
      ))}
    </ol>
  );
}
