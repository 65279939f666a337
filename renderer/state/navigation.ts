/** Where the user is, followed by the address bar in both directions; and which parts of the frame are open. */
import { create } from 'zustand';
import { followedSpan, type Lead, useRange } from '../timeline/range.ts';
import { type DrawerTab, formatAddress, isStep, parseAddress, type Place, type ViewName, views } from './address.ts';

export { type DrawerTab, drawers, type TabName, type ViewName, views } from './address.ts';

interface Frame {
  readonly inspectorOpen: boolean;
  /** The card with which the drawer opens again. */
  readonly lastDrawer: DrawerTab;
  readonly helpOpen: boolean;
  /** The ways to begin: as somebody wished, else (undefined) while there is nothing. */
  readonly beginOpen: boolean | undefined;
}
interface NavigationState extends Place, Frame {
  /** Another view begins without the filters of this one. */
  go(part: Partial<Place>): void;
  select(id: string): void;
  set(part: Partial<Frame>): void;
}

/** The ten digits, in the order of the keyboard. */
export function keyOfView(view: ViewName): string {
  return String((views.indexOf(view) + 1) % 10);
}

/** Of one view, and of no other. */
export const unfiltered = {
  search: '',
  kind: '',
  filter: '',
  group: '',
  folded: '',
  month: '',
  compared: undefined,
  became: '',
  find: '',
  table: false,
} as const;
/** Of one object, and of no other. */
const ofObject = { revision: undefined, attempt: undefined, node: '' } as const;
/** Of the logs that are shown, and of no others. */
const ofLogs = { container: '', logShow: '', logFind: '' } as const;

export const useNavigation = create<NavigationState>()((set, get) => ({
  ...parseAddress(location.hash),
  inspectorOpen: true,
  lastDrawer: 'events',
  helpOpen: false,
  beginOpen: undefined,
  go: (part) => {
    const before = get();
    const leaves = part.view !== undefined && part.view !== before.view;
    const other = part.selected !== undefined && part.selected !== before.selected;
    const others = other || (part.logs !== undefined && part.logs !== before.logs);
    set({ ...(leaves ? unfiltered : {}), ...(other ? ofObject : {}), ...(others ? ofLogs : {}), ...part });
    const [address, now] = [formatAddress(get()), get()];
    if (address === location.hash) return;
    if (isStep(before, now)) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  },
  select: (id) => {
    get().go({ selected: id, revision: undefined });
    if (id) set({ inspectorOpen: true });
  },
  set: (part) => {
    set(part);
  },
}));

/** Plans are slower than what happens: CronJobs begin with a day, until it is known what is planned. */
const leads: { readonly [V in ViewName]?: Lead } = { cronjobs: { pastMs: 86_400_000, aheadMs: 3_600_000 } };

/** Browsers count how often an address is written. */
const rangeQuietMs = 300;

/** The address bar leads the page (back, forward, a link), and a range that somebody chose is written into it. */
export function followAddress(): void {
  const arrive = (): void => {
    const place = parseAddress(location.hash);
    useNavigation.setState(place);
    arriveAt(place);
  };
  addEventListener('popstate', arrive);
  addEventListener('hashchange', arrive);
  useNavigation.subscribe(({ view }, before) => {
    if (view !== before.view) useRange.getState().lean(leads[view]);
  });
  const { range, last, view } = useNavigation.getState();
  arriveAt({ range, last, view });
  let timer: ReturnType<typeof setTimeout> | undefined;
  useRange.subscribe(({ follow, autoSpanMs }, before) => {
    if (!follow) {
      // One step, after which the page may rest: what is asked with the range that is named now is not asked again later.
      if (timer === undefined) writeRange();
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        writeRange();
      }, rangeQuietMs);
      // A view that leans elsewhere while it follows says nothing of the range of the place that is just arrived at.
    } else if ((!before.follow && useNavigation.getState().range !== undefined) || autoSpanMs !== before.autoSpanMs) writeRange();
  });
}

function arriveAt({ range, last, view }: Pick<Place, 'range' | 'last' | 'view'>): void {
  const { show, followLast, lean } = useRange.getState();
  if (range) show({ fromMs: range[0], toMs: range[1] });
  else if (!follows(last)) followLast(last);
  lean(leads[view]);
}

function follows(last: number | undefined): boolean {
  const state = useRange.getState();
  return state.follow && followedSpan(state) === last;
}

function writeRange(): void {
  const { follow, range } = useRange.getState();
  if (follow || !range) useNavigation.getState().go({ range: undefined, last: followedSpan(useRange.getState()) });
  else useNavigation.getState().go({ range: [Math.round(range.fromMs), Math.round(range.toMs)], last: undefined });
}
