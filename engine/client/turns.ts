/** Work of one name comes one after the other; work of different names does not wait for each other. */
export class Turns {
  readonly #underway = new Map<string, Promise<unknown>>();

  /** What `work` gives, or throws, when all of this name that was begun before has ended, well or not. */
  async of<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#underway.get(name);
    const own = before === undefined ? work() : before.then(work, work);
    this.#underway.set(name, own);
    try {
      return await own;
    } finally {
      if (this.#underway.get(name) === own) this.#underway.delete(name);
    }
  }
}
