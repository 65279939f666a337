/** The frame: time above, ways at the left, the view, what is selected at the right, events below. */
import { memo } from 'react';
import { Boundary } from '../components/Boundary.tsx';
import { useFocusBack } from '../lib/focus-back.ts';
import { useKeys, useKeysBack } from '../lib/keys.ts';
import { useListKeys } from '../lib/list-keys.ts';
import { engineIsHeard, steer, togglePlay, useClock } from '../state/clock.ts';
import { keyOfView, useNavigation, views } from '../state/navigation.ts';
import { texts } from '../texts/texts.ts';
import { TimelineView } from '../views/timeline/TimelineView.tsx';
import { useDroppedFiles } from '../views/create/read-file.ts';
import { BranchBanner } from './BranchBanner.tsx';
import { Drawer } from './Drawer.tsx';
import { EngineBanner } from './EngineLost.tsx';
import { FirstRun } from './FirstRun.tsx';
import { Help } from './Help.tsx';
import { Inspector, laterViews } from './later.tsx';
import { Nav } from './Nav.tsx';
import { Notices } from './Notices.tsx';
import { OfNow } from './OfNow.tsx';
import { OverviewStrip } from './OverviewStrip.tsx';
import { TimeBar } from './TimeBar.tsx';

const shown = {
  timeline: TimelineView,
  ...laterViews,
} as const;
/** What follows its own parts of the state is not looked at again because somebody went somewhere. */
const [Bar, Strip, Begin, Below] = [memo(TimeBar), memo(OverviewStrip), memo(FirstRun), memo(Drawer)];

/** One thing with each press: what lies over the page, then what somebody is in, then what is selected, then what else is open. */
function putAway(): void {
  const { helpOpen, beginOpen, selected, compared, drawer, set, go } = useNavigation.getState();
  const isInDrawer = document.activeElement?.closest('.drawer') !== null;
  if (helpOpen) set({ helpOpen: false });
  else if (drawer !== '' && (isInDrawer || (selected === '' && compared === undefined))) go({ drawer: '' });
  else if (selected !== '') go({ selected: '' });
  else if (compared) go({ compared: undefined });
  else if (beginOpen === true) set({ beginOpen: false });
}

export function App() {
  const { view, selected, inspectorOpen, helpOpen, set, go } = useNavigation();
  useKeysBack();
  useListKeys();
  useFocusBack();
  useKeys({
    ' ': togglePlay,
    '.': () => {
      void steer({ step: 'instant' });
    },
    n: () => {
      void steer({ step: 'event' });
    },
    g: () => {
      document.querySelector<HTMLInputElement>('#goto')?.focus();
    },
    '/': () => {
      document.querySelector<HTMLInputElement>('.view input[type=search]')?.focus();
    },
    '?': () => {
      set({ helpOpen: !helpOpen });
    },
    p: () => {
      go({ view: 'problems' });
    },
    c: () => {
      go({ view: 'create' });
    },
    i: () => {
      set({ inspectorOpen: !inspectorOpen });
    },
    Escape: putAway,
    ...Object.fromEntries(
      views.map((name) => [
        keyOfView(name),
        () => {
          go({ view: name });
        },
      ]),
    ),
  });
  const View = shown[view];
  const isHeard = useClock(engineIsHeard);
  const held = useDroppedFiles();
  return (
    <div className={`app ${selected !== '' && inspectorOpen ? 'inspector-open' : ''} ${isHeard ? '' : 'is-stale'}`}>
      <button type="button" className="skip" onClick={() => document.querySelector<HTMLElement>('main.view')?.focus()}>
        {texts.frame.skip}
      </button>
      <Bar />
      <Boundary>
        <Strip />
      </Boundary>
      <section className="banners" aria-label={texts.frame.banners}>
        <EngineBanner />
        <BranchBanner />
      </section>
      <Nav />
      <main className="view" tabIndex={-1} aria-label={texts.frame.views[view]}>
        <Boundary>
          <Begin />
        </Boundary>
        <OfNow />
        <Boundary key={view}>
          <View />
        </Boundary>
      </main>
      {selected !== '' && inspectorOpen ? (
        <Boundary key={selected}>
          <Inspector id={selected} />
        </Boundary>
      ) : null}
      <Below />
      {helpOpen ? <Help /> : null}
      {held ? <div className="drop-note">{texts.create.drop}</div> : null}
      <Notices />
    </div>
  );
}
