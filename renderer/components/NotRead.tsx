/** In the place of what was not read before the engine fell silent: nothing there would look as if there were nothing. */
import { engineIsHeard, useClock } from '../state/clock.ts';
import { texts } from '../texts/texts.ts';

/** Nothing while the engine is heard: what is asked for comes. */
export function NotRead() {
  return useClock(engineIsHeard) ? null : <p className="muted coming">{texts.engine.notRead}</p>;
}
