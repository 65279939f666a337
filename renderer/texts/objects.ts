/** Words of the view of all kinds. */
import { formatCount } from '../lib/format.ts';
import type { Sentence } from './sentence.ts';

export const objects = {
  title: 'Objects',
  filter: 'Filter objects',
  filterHint: 'Filter names ( / )',
  clearFilter: 'Show all again',
  core: 'core',
  about: (kind: string, version: string) => `${kind} · ${version}`,
  /** Of these there are so many, or more: not all questions are told how many are left. */
  count: (count: number, hasMore: boolean, isPart: boolean) =>
    ` · ${hasMore ? 'more than ' : ''}${formatCount(count)} ${isPart ? 'found' : 'in all'}`,
  kinds: 'Kinds',
  kindsUnread: "The server's kinds cannot be read",
  unlisted: (resource: string) => `${resource} cannot be listed`,
  noneCalled: (kind: string, name: string) => `No ${kind} is called “${name}”`,
  none: (plural: string) => `No ${plural} yet`,
  clearSearch: 'Clear the filter to see all.',
  howToMake: ['Create one with ', { code: 'kubectl apply -f' }, ' and it appears here.'] satisfies Sentence,
  writeOne: 'Write one here',
  namespace: 'Namespace',
  saidBefore: (node: string) => `What ${node} said last. It is not ready: whether this is still so is not known.`,
  /** `why` is the scheduler's, '' for none. */
  printedAs: (status: string, why: string) => `kubectl prints “${status}” of it.${why === '' ? '' : ` The scheduler: ${why}`}`,
  more: (left: number) => (left > 0 ? `Show more (${left} left)` : 'Show more'),
} as const;
