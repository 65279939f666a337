/** The ways to the views. */
import {
  ArrowLeftRight,
  Boxes,
  CalendarClock,
  ChartGantt,
  Flag,
  Keyboard,
  Monitor,
  Moon,
  Plus,
  Server,
  Settings,
  Sun,
  TriangleAlert,
  Zap,
} from 'lucide-react';
import { formatAddress } from '../state/address.ts';
import { keyOfView, unfiltered, useNavigation, type ViewName, views } from '../state/navigation.ts';
import { ClusterSwitch } from './ClusterSwitch.tsx';
import { useTheme, type ThemeChoice } from '../state/theme.ts';
import { texts } from '../texts/texts.ts';

const icons: { readonly [V in ViewName]: typeof Server } = {
  timeline: ChartGantt,
  problems: TriangleAlert,
  cronjobs: CalendarClock,
  cluster: Server,
  objects: Boxes,
  scenarios: Flag,
  faults: Zap,
  requests: ArrowLeftRight,
  settings: Settings,
  create: Plus,
};
const themes: Readonly<Record<ThemeChoice, { readonly next: ThemeChoice; readonly Icon: typeof Sun }>> = {
  system: { next: 'light', Icon: Monitor },
  light: { next: 'dark', Icon: Sun },
  dark: { next: 'system', Icon: Moon },
};

export function Nav() {
  const place = useNavigation();
  const { view, go, set, helpOpen } = place;
  const { choice, choose } = useTheme();
  const { next, Icon: ThemeIcon } = themes[choice];
  return (
    <nav className="nav" aria-label={texts.frame.viewsLabel}>
      {views.map((one) => {
        const [name, Icon] = [texts.frame.views[one], icons[one]];
        return (
          <a
            key={one}
            className="nav-item"
            href={formatAddress({ ...place, ...unfiltered, view: one })}
            aria-current={view === one ? 'page' : undefined}
            aria-label={name}
            title={`${name} (${keyOfView(one)})`}
            onClick={(event) => {
              event.preventDefault();
              go({ view: one });
            }}
          >
            <Icon size={16} aria-hidden />
            <span className="name">{name}</span>
          </a>
        );
      })}
      <div className="foot">
        <ClusterSwitch />
        <button
          type="button"
          className="nav-item"
          onClick={() => choose(next)}
          aria-label={texts.frame.themes[choice]}
          title={texts.frame.themes[choice]}
        >
          <ThemeIcon size={16} aria-hidden />
          <span className="name">{texts.frame.themes[choice]}</span>
        </button>
        <button
          type="button"
          className="nav-item"
          onClick={() => set({ helpOpen: !helpOpen })}
          aria-label={texts.frame.help}
          title={`${texts.frame.help} (?)`}
        >
          <Keyboard size={16} aria-hidden />
          <span className="name">{texts.frame.help}</span>
        </button>
      </div>
    </nav>
  );
}
