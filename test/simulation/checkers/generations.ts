/** The generation counts changes of what is wanted, and nothing else. */
import { nameOf, type Thing } from '../world.ts';
import type { Checker } from './checker.ts';

type Specified = Thing & { readonly spec?: unknown };
/** Binding and resizing write a pod's spec beside its strategy. */
const exempt: ReadonlySet<string> = new Set(['Pod']);

export function generationsCount(): Checker {
  return {
    name: 'generations count changes of specs',
    onChange({ current, previous }) {
      const now = current?.value as Specified | undefined;
      const before = previous?.value as Specified | undefined;
      if (now?.metadata.generation === undefined || before?.metadata.generation === undefined || now.spec === undefined || exempt.has(now.kind))
        return [];
      const step = now.metadata.generation - before.metadata.generation;
      const marked = now.metadata.deletionTimestamp !== undefined && before.metadata.deletionTimestamp === undefined;
      const changed = now.spec !== before.spec && JSON.stringify(now.spec) !== JSON.stringify(before.spec);
      const wanted = marked || changed ? 1 : 0;
      return step === wanted ? [] : [`${nameOf(now)} went from generation ${before.metadata.generation} to ${now.metadata.generation}`];
    },
  };
}
