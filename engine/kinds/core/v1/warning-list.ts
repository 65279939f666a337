/** Texts for `Warning` headers, of which a client sees some four thousand characters: nobody gathers more than could be shown. */
export class WarningList {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (this.#texts.size < most) this.#texts.add(text);
  }

  /** Nothing that is added from now on counts. */
  get isFull(): boolean {
    return this.#texts.size >= most;
  }

  /** In the order in which they were added, each once. */
  get texts(): readonly string[] {
    return [...this.#texts];
  }
}

const most = 512;
