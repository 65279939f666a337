/** Seals of a file that somebody may change while the process runs (`--encryption-provider-config-automatic-reload`). */
import type { LineSeals } from '../../persistence/sealed-lines.ts';

type Listener = (seals: LineSeals) => void;

export interface ReloadOptions {
  /** Throws an Error that says what is wrong with the file. */
  read(): string;
  make(text: string): LineSeals;
  say(line: string): void;
}

export class ChangingSeals {
  readonly #options: ReloadOptions;
  readonly #listeners: Listener[] = [];
  #text: string;
  #fault = '';
  current: LineSeals;

  /** Throws what reading and making throw. */
  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#text = options.read();
    this.current = options.make(this.#text);
  }

  onChanged(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Looks at the file. One that is wrong changes nothing, and is told once. */
  reload(): void {
    try {
      const text = this.#options.read();
      if (text === this.#text && this.#fault === '') return;
      this.current = this.#options.make(text);
      this.#text = text;
      this.#fault = '';
      for (const listener of this.#listeners) listener(this.current);
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#fault) this.#options.say(`the encryption configuration stays as it was: ${message}`);
      this.#fault = message;
    }
  }
}
