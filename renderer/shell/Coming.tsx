/** Stands where a part of the page waits for its file: nothing for the moment that it takes, and why where the engine does not answer. */
import { useClock } from '../state/clock.ts';
import { texts } from '../texts/texts.ts';

export function Coming() {
  const isHeard = useClock(({ hearing }) => hearing === 'heard' || hearing === 'opening');
  return isHeard ? null : <p className="muted coming">{texts.engine.notFetched}</p>;
}
