/** Files of the page that are fetched when they are looked at: where the engine does not answer, they are asked for again when it does. */
import { useHeard } from './clock.ts';

/** How often an engine that is heard may fail to give a file, before that is told: it may be of another release than the page. */
const triesMax = 4;

/** Waits for the engine rather than failing; fails where the engine is heard and does not give what is asked. */
export async function fetchWhenHeard<T>(load: () => Promise<T>, nextHeard: () => Promise<void> = heardNext): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await load();
    } catch (error) {
      if (tries === triesMax) throw error;
    }
    await nextHeard();
  }
}

/** Resolves as soon as the engine is heard after now. */
function heardNext(): Promise<void> {
  return new Promise((resolve) => {
    const end = useHeard.subscribe(() => {
      end();
      resolve();
    });
  });
}
