/**
 * Parts of the page that are files of their own, fetched when they are looked at, or before, once the page rests. What is here already is shown at once, and
 * what waits for a file with the file: React's own way (`lazy` in a `Suspense`) shows it a third of a second later, however soon it came. Where the engine does
 * not answer, the file is asked for again when it is heard again.
 */
import { type ComponentType, type FunctionComponent, useEffect, useState } from 'react';
import { fetchWhenHeard } from '../state/heard-again.ts';

/** A part like any other, whose file can be fetched before. */
export type Later<P> = FunctionComponent<P> & { readonly fetch: () => Promise<unknown> };

interface Arrival<P> {
  readonly part?: ComponentType<P> | undefined;
  readonly error?: Error;
}

/** `Waiting` stands in its place until it is here. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>, Waiting: ComponentType): Later<P> {
  let here: ComponentType<P> | undefined;
  const fetch = async (): Promise<ComponentType<P>> => (here = await load());
  function Show(props: P) {
    // Once for as long as it is looked at: another component would begin anew.
    const [{ part: Part, error }, arrive] = useState<Arrival<P>>(() => ({ part: here }));
    useEffect(() => {
      if (Part) return undefined;
      let isLookedAt = true;
      const told = (arrival: Arrival<P>): void => {
        if (isLookedAt) arrive(arrival);
      };
      fetchWhenHeard(fetch).then(
        (part) => told({ part }),
        (failure: unknown) => told({ error: failure instanceof Error ? failure : new Error(String(failure)) }),
      );
      return () => {
        isLookedAt = false;
      };
    }, []);
    // What stands around it says so, and begins anew when somebody tries again.
    if (error) throw error;
    return Part ? <Part {...props} /> : <Waiting />;
  }
  return Object.assign(Show, { fetch });
}
