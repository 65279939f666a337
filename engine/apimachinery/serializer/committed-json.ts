/**
 * The JSON of the object that was committed last. The digest needs it first; its watchers and the answer to who wrote it ask for the
 * same text right after. Only objects that nobody changes any more are remembered, and only one.
 */
import { encodeJson } from './json.ts';

export class CommittedJson {
  #object: object | undefined;
  #text = '';

  /** Of an object that has just been committed. */
  remember(object: object): string {
    if (object !== this.#object) {
      this.#text = encodeJson(object);
      this.#object = object;
    }
    return this.#text;
  }

  of(value: unknown): string {
    return value === this.#object && value !== undefined ? this.#text : encodeJson(value);
  }
}
