/**
 * Equal values as one: what thousands of objects say alike (the second in which they were made, the message of a state) is kept once.
 * Bounded: when it is full it begins anew, and what it forgets is only no longer shared.
 */
export class SharedValues<V extends string | object> {
  readonly #values = new Map<string, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** The first value that was made under this key. It is never changed by anybody. */
  under(key: string, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= this.#most) this.#values.clear();
    const made = make();
    this.#values.set(key, made);
    return made;
  }
}

/** Longer ones are hardly ever alike, and a thousand of them would be much. */
const charsMax = 1_000;

/** Equal texts as one. */
export class SharedTexts {
  readonly #texts: SharedValues<string>;

  constructor(most: number) {
    this.#texts = new SharedValues(most);
  }

  one(text: string): string {
    return text.length > charsMax ? text : this.#texts.under(text, () => text);
  }
}
