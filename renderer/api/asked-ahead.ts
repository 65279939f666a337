/** An answer that was asked for with the press that needs it, instead of after the page was drawn for that. */

export class AskedAhead<T> {
  #kept: { readonly asked: string; readonly answer: Promise<T> } | undefined;

  /** What was kept before is forgotten. */
  keep(asked: string, answer: Promise<T>): void {
    // Its fault is told by who takes it up; nobody waits for what nobody takes up.
    answer.catch(() => undefined);
    this.#kept = { asked, answer };
  }

  /** Once: who asks again asks the engine. Undefined where something else was asked. */
  take(asked: string): Promise<T> | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    return kept?.asked === asked ? kept.answer : undefined;
  }
}
