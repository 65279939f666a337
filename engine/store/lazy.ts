/** A value that is made when somebody first asks for it: old versions of a restored store, which hardly anybody reads. */
export class Lazy<V> {
  #make: (() => V) | undefined;
  #value: V | undefined;

  constructor(make: () => V) {
    this.#make = make;
  }

  get(): V {
    if (this.#make !== undefined) {
      this.#value = this.#make();
      this.#make = undefined;
    }
    return this.#value as V;
  }
}
