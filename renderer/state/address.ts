/** Where the user is, as text behind the `#` of the page's address, and back. What cannot be read there counts as not given. */
export const views = ['timeline', 'problems', 'cronjobs', 'cluster', 'objects', 'scenarios', 'faults', 'requests', 'settings', 'create'] as const;
export type ViewName = (typeof views)[number];
export const tabs = ['overview', 'change', 'why', 'events', 'yaml', 'decision'] as const;
export type TabName = (typeof tabs)[number];
export const drawers = ['events', 'logs', 'requests'] as const;
export type DrawerTab = (typeof drawers)[number];

export interface Place {
  readonly view: ViewName;
  /** Row id of the selected object, '' for none. */
  readonly selected: string;
  /** What the inspector tells of it. */
  readonly tab: TabName;
  /** The change that the inspector tells of; undefined: the object's last. */
  readonly revision: number | undefined;
  /** Of the pod's decisions by the scheduler this one, undefined: the last; and the node that is asked about, '' for none. */
  readonly attempt: number | undefined;
  readonly node: string;
  readonly search: string;
  /** What the view lists, where it can list several: a resource with its group (`deployments.apps`), a scope of the timeline. */
  readonly kind: string;
  /** Which of them: a field selector in Objects, a fate among runs of CronJobs, a kind among problems. */
  readonly filter: string;
  readonly group: string;
  /** Rows and groups that are folded, with commas between; after `*` all but those. */
  readonly folded: string;
  /** The calendar's, as `2026-11`; '' is the month of now. */
  readonly month: string;
  /** Virtual milliseconds; undefined follows now. */
  readonly range: readonly [number, number] | undefined;
  /** Of what follows now, how much of the past in virtual milliseconds: Infinity for all of it, undefined for what is shown at first. */
  readonly last: number | undefined;
  /** The two instants that are compared, in virtual milliseconds. */
  readonly compared: readonly [number, number] | undefined;
  /** Of what differs between them only this became of it, and only what this text is found in. */
  readonly became: string;
  readonly find: string;
  /** The same as a table, where a view has one. */
  readonly table: boolean;
  /** The card of the drawer that is open, '' for none. */
  readonly drawer: DrawerTab | '';
  /** Of Events the drawer lists only warnings. */
  readonly warnings: boolean;
  /** Whose logs the drawer shows, with commas between; '' are those of what is selected. */
  readonly logs: string;
  /** Of a pod's logs those of this container, '' for the first. */
  readonly container: string;
  /** How logs are shown: of `logSwitches`, with commas between. */
  readonly logShow: string;
  /** What is searched in them. */
  readonly logFind: string;
}

/** Before the restart, with times, and only the lines found. */
const logSwitches = ['previous', 'times', 'only'] as const;
export type LogSwitch = (typeof logSwitches)[number];

const dateMsMax = 8.64e15;
const monthPattern = /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/;

export function isMonth(text: string): boolean {
  return monthPattern.test(text);
}

/** Not a number where there is none that a calendar knows. Before 1970 there is none in any cluster, but beside its first minutes. */
function instantIn(text: string | null): number {
  const ms = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Math.abs(ms) < dateMsMax ? ms : Number.NaN;
}

export function switchesIn(show: string): readonly LogSwitch[] {
  const named = new Set(show.split(','));
  return logSwitches.filter((one) => named.has(one));
}

export function withSwitch(show: string, one: LogSwitch, on: boolean): string {
  const before = switchesIn(show);
  return logSwitches.filter((each) => (each === one ? on : before.includes(each))).join(',');
}

export function parseAddress(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const params = new URLSearchParams(query);
  const span = (first: string, last: string): readonly [number, number] | undefined => {
    const [from, to] = [instantIn(params.get(first)), instantIn(params.get(last))];
    return to > from ? [from, to] : undefined;
  };
  const count = (name: string): number | undefined => {
    const value = Number(params.get(name));
    return Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  const month = params.get('month') ?? '';
  return {
    view: views.find((name) => name === path) ?? 'timeline',
    selected: params.get('object') ?? '',
    tab: tabs.find((name) => name === params.get('tab')) ?? 'overview',
    revision: count('revision'),
    attempt: count('attempt'),
    node: params.get('node') ?? '',
    search: params.get('search') ?? '',
    kind: params.get('kind') ?? '',
    filter: params.get('filter') ?? '',
    group: params.get('group') ?? '',
    folded: params.get('folded') ?? '',
    month: isMonth(month) ? month : '',
    range: span('from', 'to'),
    last: params.get('last') === 'all' ? Infinity : count('last'),
    compared: span('before', 'after'),
    became: params.get('became') ?? '',
    find: params.get('find') ?? '',
    table: params.get('table') === 'true',
    drawer: drawers.find((name) => name === params.get('drawer')) ?? '',
    warnings: params.get('events') === 'warnings',
    logs: params.get('logs') ?? '',
    container: params.get('container') ?? '',
    logShow: switchesIn(params.get('show') ?? '').join(','),
    logFind: params.get('lines') ?? '',
  };
}

export function formatAddress(place: Place): string {
  const { view, selected, tab, revision, attempt, range, compared, table } = place;
  const params = new URLSearchParams();
  const put = (name: string, value: string): void => {
    if (value !== '') params.set(name, value);
  };
  put('kind', place.kind);
  put('filter', place.filter);
  put('group', place.group);
  put('folded', place.folded);
  put('month', place.month);
  put('search', place.search);
  put('object', selected);
  if (selected !== '' && tab !== 'overview') put('tab', tab);
  if (selected !== '' && revision !== undefined) put('revision', String(revision));
  if (selected !== '' && tab === 'decision') {
    if (attempt !== undefined) put('attempt', String(attempt));
    put('node', place.node);
  }
  if (compared) {
    put('before', String(compared[0]));
    put('after', String(compared[1]));
    put('became', place.became);
    put('find', place.find);
  }
  if (table) put('table', 'true');
  put('drawer', place.drawer);
  if (place.drawer === 'events' && place.warnings) put('events', 'warnings');
  if (place.drawer === 'logs') {
    put('logs', place.logs);
    put('container', place.container);
    put('show', place.logShow);
    put('lines', place.logFind);
  }
  if (range) {
    put('from', String(Math.round(range[0])));
    put('to', String(Math.round(range[1])));
  } else if (place.last !== undefined) put('last', place.last === Infinity ? 'all' : String(Math.round(place.last)));
  const query = params.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
  return `#/${view}${query ? `?${query}` : ''}`;
}

const steps = [
  'view',
  'selected',
  'revision',
  'attempt',
  'node',
  'kind',
  'filter',
  'group',
  'folded',
  'month',
  'compared',
  'became',
  'table',
  'drawer',
  'warnings',
  'logs',
  'container',
  'logShow',
] as const;

/** Whether the way there is a step that the browser's back button undoes; typing and panning are not. */
export function isStep(before: Place, after: Place): boolean {
  return steps.some((part) => before[part] !== after[part]);
}
