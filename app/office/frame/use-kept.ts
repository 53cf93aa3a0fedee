import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { type FieldErrors, type Form, useForm } from "#app/components/use-form.ts";
import { getSession } from "#app/features/session/session.ts";
import { isBackendFailure } from "#app/lib/backend/failure-message.ts";
import { FORGET_EVENT } from "#app/lib/browser/env.ts";
import { newUuid } from "#shared/text/new-uuid.ts";
import { type Edits, findEdits, keptText, restoreText } from "./kept-text.ts";

/** A form's text that survives its page: see `useKept`. */
export type Kept = {
  /**
   * When the text that is back was typed, in milliseconds; null if none is, it was saved or undone by hand, or the page
   * wasn't left.
   */
  backFrom: number | null;
  /** Whether someone else has since saved a field that is back. */
  hasConflict: boolean;
  /**
   * The id under which the text is sent: the same for every attempt until it is saved, closed or discarded, also after a
   * reload and when it has been changed since. The database compares it with what an earlier attempt stored.
   */
  attempt: string;
  /** Whether the server has refused this one because an earlier attempt is stored with other values. */
  isRecorded: boolean;
  /** To be called with why sending it failed. */
  onRefused: (error: unknown) => void;
  /** The same text is sent under a new id from now on: staff know what is stored, and want both. */
  allowAnother: () => void;
  /** Whether leaving the page loses nothing: without storage, it does. */
  isStored: () => boolean;
  /** Once it is saved, or its dialog is closed without saving. */
  forget: () => unknown;
  /** Also puts back what the form started with. */
  discard: () => void;
};

/** What is put back, and what is to be known of it. */
type Back<Values extends object> = ReturnType<typeof restoreText<Values>>;

type Options<Values> = {
  /** The form and its record, such as `book <id>`; null where nothing can be typed. */
  name: string | null;
  /** What is stored. */
  start: Values;
  values: Values;
  /** The stored record's version, if it has one. */
  version?: string | number;
  /** The id under which it is sent, where the form itself keeps it. */
  attempt?: string;
  /**
   * Whether it adds something: what it starts with is a proposal, which changes with the record. Once one field is
   * edited all come back as they were left, and none conflicts.
   */
  adds?: boolean;
  /** Sets these fields. */
  restore: (fields: Partial<Values>, attempt: string) => void;
};

/** The signed-in person's text for a form in this tab. */
function itemOf(name: string | null) {
  const session = getSession();
  return name !== null && session.status === "signed-in" ? keptText(session.user.id, name) : null;
}

/** Forgets a form's text, where the form itself isn't at hand. */
export const forgetKept = (name: string) => itemOf(name)?.remove();

/** Whether a form has a text that is to come back: then it is shown without a click. */
export const hasKept = (name: string) => Boolean(itemOf(name)?.read(Date.now()));

/** The text as it was left. */
function open<Values extends object>({ name, start, version, adds = false }: Options<Values>) {
  const item = itemOf(name);
  const kept = item?.read(Date.now()) ?? null;
  const mayHaveChanged = !adds && (version === undefined || version !== kept?.version);
  const back = restoreText(kept?.edits ?? {}, start, mayHaveChanged);
  const wasLeft = !item?.wasTypedHere();
  return { item, kept: Object.keys(back.values).length > 0 ? kept : null, back, wasLeft };
}

const textOf = (edits: Edits) =>
  JSON.stringify(Object.fromEntries(Object.entries(edits).map(([name, { to }]) => [name, to])));
const UNEDITED = textOf({});
/** The code of a refusal because an earlier attempt under the same id has stored something else. */
const isRecordedCode = (code: string | null | undefined) => code?.endsWith("_exists") ?? false;

/**
 * Keeps what is typed into a form, at each change, through links, Back, a reload and the end of the session, and puts
 * it back when the form opens again.
 */
export function useKept<Values extends object>(options: Options<Values>): Kept & Back<Values> {
  const { start, values, version = null, adds = false, restore } = options;
  const [{ item, kept, back, wasLeft }] = useState(() => open(options));
  const [ownAttempt, setAttempt] = useState(() => kept?.attempt ?? newUuid());
  const attempt = options.attempt ?? ownAttempt;
  const [isRecorded, setRecorded] = useState(false);
  const [isBack, setIsBack] = useState(kept !== null);
  const isStored = useRef(kept !== null);
  const isOver = useRef(false);
  const written = useRef(UNEDITED);
  const isFirst = useRef(true);

  const putBack = useRef(() => {
    if (kept) restore(back.values, kept.attempt);
    else item?.remove();
  });
  // Before the first paint, so that nobody sees the form without it.
  useLayoutEffect(() => putBack.current(), []);

  const edits = findEdits(start, values, isBack ? back.origins : {}, adds);
  const text = textOf(edits);
  useEffect(() => {
    if (text === written.current || isOver.current) return;
    written.current = text;
    if (text === UNEDITED) item?.remove();
    else {
      // What is written first is what was just put back: it is as old as it was.
      const at = isFirst.current && kept ? kept.at : Date.now();
      isFirst.current = false;
      const page = window.location.pathname + window.location.search;
      isStored.current = item?.write({ at, page, attempt, version, edits }) ?? false;
    }
  });

  useEffect(() => item?.open(), [item]);

  // After signing out, nothing is stored for this person again while the page is being left.
  useEffect(() => {
    const end = () => {
      isOver.current = true;
    };
    window.addEventListener(FORGET_EVENT, end);
    return () => window.removeEventListener(FORGET_EVENT, end);
  }, []);

  function renew(): string {
    const next = newUuid();
    setAttempt(next);
    setRecorded(false);
    return next;
  }

  function forget(): string {
    item?.remove();
    setIsBack(false);
    return renew();
  }

  const hasConflict = Object.keys(back.conflicts).length > 0;
  return {
    ...back,
    backFrom: isBack && kept && text !== UNEDITED && (wasLeft || hasConflict) ? kept.at : null,
    hasConflict,
    attempt,
    isRecorded,
    onRefused: (error) => setRecorded(isBackendFailure(error) && isRecordedCode(error.code)),
    allowAnother: () => {
      renew();
      // The text is stored again, with its new id.
      written.current = UNEDITED;
    },
    isStored: () => isStored.current,
    forget,
    discard: () => restore(start, forget()),
  };
}

type Beside<More> = Pick<Options<More>, "start" | "values" | "restore">;

type Sending<Values> = {
  /** The id to send it under: the same for every attempt, so that a retry after a lost response does nothing twice. */
  attempt: string;
  form: HTMLFormElement;
  /** Shows what the server refuses at its fields. */
  refuse: (errors: FieldErrors<Values>) => void;
};

type KeptForm<Values, More> = Omit<Form<Values>, "send"> & {
  send: (values: Values, sending: Sending<Values>) => unknown;
  /** The form and its record, such as `book <id>`. */
  kept: string;
  adds?: Options<Values>["adds"];
  /** What the form has beside its fields. */
  beside?: Beside<More>;
};

/** `useForm` for staff: what is typed is kept, and a field that someone else has saved since says so. */
export function useKeptForm<Values extends object, More extends object = object>({
  kept: name,
  adds,
  beside,
  send,
  ...definition
}: KeptForm<Values, More>) {
  const form = useForm<Values>({
    ...definition,
    send: (values, element, refuse) => send(values, { attempt: kept.attempt, form: element, refuse }),
  });
  const [start] = useState({ ...definition.fields, ...beside?.start } as Values & More);
  const kept: Kept & Back<Values & More> = useKept({
    name,
    adds,
    start,
    values: { ...form.values, ...beside?.values } as Values & More,
    restore(fields, attempt) {
      form.setValues((now) => ({ ...now, ...picked(fields, definition.fields) }));
      if (beside) beside.restore(picked(fields, beside.start), attempt);
    },
  });
  /** What someone else has saved in a field that is back, until it is typed again. */
  function conflictIn(name: keyof Values): string | null {
    if (kept.backFrom === null || !(name in kept.conflicts) || form.values[name] !== kept.values[name])
      return null;
    const theirs: unknown = kept.conflicts[name];
    return typeof theirs === "string"
      ? `Someone else has saved: ${theirs || "nothing"}`
      : "Someone else has changed this";
  }
  const field: typeof form.field = (name) => {
    const props = form.field(name);
    return { ...props, error: props.error ?? (conflictIn(name) as FieldErrors<Values>[typeof name]) };
  };
  return { ...form, field, kept };
}

/** Those of the fields that the form, or what is beside it, has. */
const picked = <Values extends object>(fields: object, of: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(of, name))) as Partial<Values>;
