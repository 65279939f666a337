/** Stands where a part of the page waits for its file: nothing for the moment that it takes, and why where the engine does not answer. */
import { engineIsHeard, useClock } from '../state/clock.ts';
import { texts } from '../texts/texts.ts';

export function Coming() {
  return useClock(engineIsHeard) ? null : <p className="muted coming">{texts.engine.notFetched}</p>;
}
