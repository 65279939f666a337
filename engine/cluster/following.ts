/** Requests of the API server's own that one from outside brings about: each is an input, and made when no attempt is under way. */
import type { HttpRequest } from '../apiserver/http-types.ts';

export class Following {
  readonly #serve: (request: HttpRequest) => void;
  readonly #waiting: HttpRequest[] = [];
  #attempts = 0;
  /** A component's attempt is under way. What components ask brings about nothing: they are in the middle of a task. */
  #isInside = false;

  constructor(serve: (request: HttpRequest) => void) {
    this.#serve = serve;
  }

  add(request: HttpRequest): void {
    if (this.#isInside) return;
    this.#waiting.push(request);
    if (this.#attempts === 0) this.#go();
  }

  /** Makes an attempt at a request from outside. */
  outside<T>(attempt: () => T): T {
    this.#attempts++;
    try {
      return attempt();
    } finally {
      if (--this.#attempts === 0) this.#go();
    }
  }

  inside<T>(attempt: () => T): T {
    this.#isInside = true;
    try {
      return attempt();
    } finally {
      this.#isInside = false;
    }
  }

  #go(): void {
    for (const request of this.#waiting.splice(0)) this.#serve(request);
  }
}
