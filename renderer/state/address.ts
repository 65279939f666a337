/** Where the user is, as text behind the `#` of the page's address, and back. What cannot be read there counts as not given. */
export const views = ['timeline', 'problems', 'cronjobs', 'cluster', 'objects', 'scenarios', 'faults', 'requests', 'settings', 'create'] as const;
export type ViewName = (typeof views)[number];
export const tabs = ['overview', 'change', 'why', 'events', 'yaml', 'decision'] as const;
export type TabName = (typeof tabs)[number];

export interface Place {
  readonly view: ViewName;
  /** Row id of the selected object, '' for none. */
  readonly selected: string;
  /** What the inspector tells of it. */
  readonly tab: TabName;
  /** The change that the inspector tells of; undefined: the object's last. */
  readonly revision: number | undefined;
  readonly search: string;
  /** What the view lists, where it can list several: a resource with its group (`deployments.apps`), a scope of the timeline. */
  readonly kind: string;
  /** Which of them: a field selector in Objects, a fate among runs of CronJobs, a kind among problems. */
  readonly filter: string;
  readonly group: string;
  /** Virtual milliseconds; undefined follows now. */
  readonly range: readonly [number, number] | undefined;
  /** The two instants that are compared, in virtual milliseconds. */
  readonly compared: readonly [number, number] | undefined;
  /** Of what differs between them only this became of it, and only what this text is found in. */
  readonly became: string;
  readonly find: string;
  /** The same as a table, where a view has one. */
  readonly table: boolean;
}

const dateMsMax = 8.64e15;

export function parseAddress(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const params = new URLSearchParams(query);
  const span = (first: string, last: string): readonly [number, number] | undefined => {
    const [from, to] = [Number(params.get(first)), Number(params.get(last))];
    return from > 0 && to > from && to < dateMsMax ? [from, to] : undefined;
  };
  const revision = Number(params.get('revision'));
  return {
    view: views.find((name) => name === path) ?? 'timeline',
    selected: params.get('object') ?? '',
    tab: tabs.find((name) => name === params.get('tab')) ?? 'overview',
    revision: Number.isSafeInteger(revision) && revision > 0 ? revision : undefined,
    search: params.get('search') ?? '',
    kind: params.get('kind') ?? '',
    filter: params.get('filter') ?? '',
    group: params.get('group') ?? '',
    range: span('from', 'to'),
    compared: span('before', 'after'),
    became: params.get('became') ?? '',
    find: params.get('find') ?? '',
    table: params.get('table') === 'true',
  };
}

export function formatAddress({ view, selected, tab, revision, search, kind, filter, group, range, compared, became, find, table }: Place): string {
  const params = new URLSearchParams();
  const put = (name: string, value: string): void => {
    if (value !== '') params.set(name, value);
  };
  put('kind', kind);
  put('filter', filter);
  put('group', group);
  put('search', search);
  put('object', selected);
  if (selected !== '' && tab !== 'overview') put('tab', tab);
  if (selected !== '' && revision !== undefined) put('revision', String(revision));
  if (compared) {
    put('before', String(compared[0]));
    put('after', String(compared[1]));
    put('became', became);
    put('find', find);
  }
  if (table) put('table', 'true');
  if (range) {
    put('from', String(Math.round(range[0])));
    put('to', String(Math.round(range[1])));
  }
  const query = params.toString().replaceAll('%2F', '/');
  return `#/${view}${query ? `?${query}` : ''}`;
}

/** Whether the way there is a step that the browser's back button undoes; typing and panning are not. */
export function isStep(before: Place, after: Place): boolean {
  return (['view', 'selected', 'revision', 'kind', 'filter', 'group', 'compared', 'became', 'table'] as const).some(
    (part) => before[part] !== after[part],
  );
}
