/**
 * Parts of the page that are files of their own, fetched when they are looked at, or before, once the page rests. What is here already is shown at once: what
 * waits for a file, however short, is shown a third of a second later, and hears no key until then. Where the engine does not answer, the file is asked for
 * again when it is heard again.
 */
import { type ComponentType, type FunctionComponent, lazy, useState } from 'react';
import { fetchWhenHeard } from '../state/heard-again.ts';

/** A part like any other, whose file can be fetched before. */
export type Later<P> = FunctionComponent<P> & { readonly fetch: () => Promise<unknown> };

export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let here: ComponentType<P> | undefined;
  let waiting: ComponentType<P> | undefined;
  const fetch = async (): Promise<{ readonly default: ComponentType<P> }> => {
    here = await load();
    return { default: here };
  };
  const fetchOrForget = async (): Promise<{ readonly default: ComponentType<P> }> => {
    try {
      return await fetchWhenHeard(fetch);
    } catch (error) {
      // Who tries again begins anew: what failed once fails for ever.
      waiting = undefined;
      throw error;
    }
  };
  function Show(props: P) {
    // Once for as long as it is looked at: another component would begin anew.
    const [Shown] = useState(() => here ?? (waiting ??= lazy(fetchOrForget) as unknown as ComponentType<P>));
    return <Shown {...props} />;
  }
  return Object.assign(Show, { fetch });
}
