/** Words of the view of all kinds. */
import type { Sentence } from './sentence.ts';

export const objects = {
  title: 'Objects',
  filter: 'Filter objects',
  filterHint: 'Filter names ( / )',
  clearFilter: 'Show all again',
  core: 'core',
  about: (kind: string, version: string) => `${kind} · ${version}`,
  kinds: 'Kinds',
  kindsUnread: "The server's kinds cannot be read",
  unlisted: (resource: string) => `${resource} cannot be listed`,
  noneCalled: (kind: string, name: string) => `No ${kind} is called “${name}”`,
  none: (kind: string) => `No ${kind} yet`,
  clearSearch: 'Clear the filter to see all.',
  howToMake: ['Create one with ', { code: 'kubectl apply -f' }, ' and it appears here.'] satisfies Sentence,
  namespace: 'Namespace',
  more: (left: number) => (left > 0 ? `Show more (${left} left)` : 'Show more'),
} as const;
