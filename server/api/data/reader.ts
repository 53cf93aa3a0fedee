import { unreadable } from "../../lib/refusal.ts";

const plainWord = /[A-Za-z_][A-Za-z0-9_]*/y;

/** Reads one query parameter from left to right. Every method moves forward or throws, so it always ends. */
export class Reader {
  readonly #text: string;
  readonly #what: string;
  #at = 0;

  /** @param what names the parameter in refusals */
  constructor(text: string, what: string) {
    this.#text = text;
    this.#what = what;
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length;
  }

  get rest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }

  fail(): never {
    throw unreadable(`The parameter "${this.#what.slice(0, 60)}"`);
  }

  spaces(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }

  /** Consumes this text if it comes next. */
  take(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** Consumes `before` if `after` follows it; `after` is not consumed. */
  takeBefore(before: string, after: string): boolean {
    return this.#text.startsWith(before + after, this.#at) && this.take(before);
  }

  need(expected: string): void {
    if (!this.take(expected)) this.fail();
  }

  /** A name: a plain word, or anything between double quotes. */
  name(): string {
    if (this.#text[this.#at] === '"') return this.#quoted();
    plainWord.lastIndex = this.#at;
    const [found] = plainWord.exec(this.#text) ?? this.fail();
    this.#at += found.length;
    return found;
  }

  /** A value in a list or in and/or: up to a comma or bracket, or between double quotes. */
  value(): string {
    if (this.#text[this.#at] === '"') return this.#quoted();
    const end = /[,()]/g;
    end.lastIndex = this.#at;
    const stop = end.exec(this.#text)?.index ?? this.#text.length;
    const found = this.#text.slice(this.#at, stop);
    this.#at = stop;
    return found;
  }

  #quoted(): string {
    let found = "";
    this.#at += 1;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) this.fail();
      this.#at += 1;
      if (character === '"') return found;
      if (character === "\\") {
        found += this.#text[this.#at] ?? this.fail();
        this.#at += 1;
      } else found += character;
    }
  }

  end(): void {
    if (!this.isDone) this.fail();
  }
}
