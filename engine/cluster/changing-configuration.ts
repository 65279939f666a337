/** What goes by the text of a configuration that may become another while a cluster runs: that of an option until the first change. */
import { optional, text } from '../base/codecs.ts';
import { Slots } from '../base/slots.ts';

export abstract class ChangingConfiguration {
  /** Text of the configuration that came last. */
  readonly slots = new Slots();
  readonly #ofOption: () => string;
  readonly #listeners = new Set<() => void>();
  #changed: string | undefined;

  constructor(ofOption: () => string) {
    this.#ofOption = ofOption;
    this.slots.field(
      'configuration',
      optional(text),
      () => this.#changed,
      (changed) => this.#set(changed),
    );
  }

  /** Text of the configuration that counts; empty for none. */
  get configuration(): string {
    return this.#changed ?? this.#ofOption();
  }

  /** Counts from now on. Its text has been found right. */
  use(configuration: string): void {
    this.#set(configuration);
    for (const listener of this.#listeners) listener();
  }

  /** Tells when another configuration counts, until what it returns is called. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Goes by another text, also by one that is loaded; undefined for what the options say. */
  protected abstract take(changed: string | undefined): void;

  #set(changed: string | undefined): void {
    this.#changed = changed;
    this.take(changed);
  }
}
