/** Where the user is: view, selected object, filter. The address bar names all of it, so that a link shows the same thing. */
import { create } from 'zustand';

export const views = ['timeline', 'cronjobs', 'cluster', 'objects', 'scenarios', 'faults', 'settings'] as const;
export type ViewName = (typeof views)[number];

interface Place {
  readonly view: ViewName;
  readonly selected: string;
  readonly search: string;
  readonly range: readonly [number, number] | undefined;
}
interface NavigationState extends Place {
  readonly inspectorOpen: boolean;
  readonly drawerOpen: boolean;
  readonly helpOpen: boolean;
  go(part: Partial<Place>): void;
  select(id: string): void;
  set(part: Partial<Pick<NavigationState, 'inspectorOpen' | 'drawerOpen' | 'helpOpen'>>): void;
}

function parseAddress(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const params = new URLSearchParams(query);
  const [from, to] = [Number(params.get('from')), Number(params.get('to'))];
  return {
    view: views.find((name) => name === path) ?? 'timeline',
    selected: params.get('object') ?? '',
    search: params.get('search') ?? '',
    range: from > 0 && to > from ? [from, to] : undefined,
  };
}

function formatAddress({ view, selected, search, range }: Place): string {
  const params = new URLSearchParams();
  if (selected) params.set('object', selected);
  if (search) params.set('search', search);
  if (range) {
    params.set('from', String(Math.round(range[0])));
    params.set('to', String(Math.round(range[1])));
  }
  const query = params.toString().replaceAll('%2F', '/');
  return `#/${view}${query ? `?${query}` : ''}`;
}

export const useNavigation = create<NavigationState>()((set, get) => ({
  ...parseAddress(location.hash),
  inspectorOpen: true,
  drawerOpen: false,
  helpOpen: false,
  go: (part) => {
    const before = get();
    set(part);
    const address = formatAddress(get());
    if (address === location.hash) return;
    if (part.view !== undefined && part.view !== before.view) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  },
  select: (id) => {
    get().go({ selected: id });
    if (id) set({ inspectorOpen: true });
  },
  set: (part) => {
    set(part);
  },
}));

export function followAddress(): void {
  addEventListener('popstate', () => useNavigation.setState(parseAddress(location.hash)));
  addEventListener('hashchange', () => useNavigation.setState(parseAddress(location.hash)));
}
