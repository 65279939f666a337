/** Watches of clients over something computed: outside history, never saved. */
export type Subscriber = (namespace: string | undefined, name: string) => void;

export class Subscribers {
  readonly #subscribers = new Set<Subscriber>();

  get isEmpty(): boolean {
    return this.#subscribers.size === 0;
  }

  /** Returns what ends it. */
  add(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  tell(namespace: string | undefined, name: string): void {
    for (const subscriber of this.#subscribers) subscriber(namespace, name);
  }
}
