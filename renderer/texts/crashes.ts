/** Words of components that threw. */
import { plural } from '../lib/format.ts';

export const crashes = {
  label: 'Crashes',
  cannotRead: 'Crashes cannot be read',
  count: (count: number) => plural(count, 'crash', 'crashes'),
  text: 'Components that threw and were started again. These are defects: please report them with the session file.',
  component: 'Component',
  at: 'At',
  error: 'Error',
  times: 'Times',
  last: 'Last',
  open: 'Show what was there when it threw',
} as const;
