/** Words of the list of what is wrong. */
import { plural } from '../lib/format.ts';

export const problems = {
  title: 'Problems',
  chip: (count: number, isCut: boolean) => (isCut ? `${count}+ problems` : plural(count, 'problem')),
  cut: (count: number) => `The ${count} that most suffer from are shown. There are more: kubectl get problems -A lists all.`,
  none: 'nothing is wrong',
  unread: 'problems unread',
  chipTitle: 'What is wrong, since when, why, and what happens next (P)',
  emptyTitle: 'Nothing is wrong',
  emptyText:
    'Every workload has its pods, every node is ready, every CronJob has run. When something is not as its owner wishes, it stands here with its cause and what happens next.',
  noneMatch: 'No problem matches',
  noneMatchText: 'There are others. Clear the filter to see them.',
  clear: 'Clear the filter',
  cannotRead: 'The problems cannot be read',
  search: 'Filter problems ( / )',
  searchLabel: 'Filter problems',
  kinds: { '': 'All', nodes: 'Nodes', pods: 'Pods', workloads: 'Workloads', cronjobs: 'CronJobs', webhooks: 'Webhooks' },
  kindsLabel: 'Kinds of problems',
  list: 'Problems',
  sinceTime: (time: string) => `since ${time} ·`,
  ago: (duration: string) => `${duration} ago`,
  because: 'because',
  openCause: 'Open the change that is the cause',
  next: 'next',
  nextIn: (text: string, duration: string) => `${text} in ${duration}`,
  nextNow: (text: string) => `${text}, any moment`,
  nothingByItself: 'nothing happens by itself',
  affects: (kinds: Readonly<Record<string, number>>) =>
    `affects ${Object.entries(kinds)
      .map(([kind, count]) => plural(count, kind.toLowerCase()))
      .join(', ')}`,
  more: (count: number) => `and ${count} more`,
  why: 'Why',
} as const;
