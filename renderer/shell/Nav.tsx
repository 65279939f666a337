/** The ways to the views. */
import { Boxes, CalendarClock, ChartGantt, Flag, Keyboard, Monitor, Moon, Server, Settings, Sun, Zap } from 'lucide-react';
import { useNavigation, type ViewName } from '../state/navigation.ts';
import { useTheme, type ThemeChoice } from '../state/theme.ts';

const items: readonly { readonly view: ViewName; readonly name: string; readonly Icon: typeof Server }[] = [
  { view: 'timeline', name: 'Timeline', Icon: ChartGantt },
  { view: 'cronjobs', name: 'CronJobs', Icon: CalendarClock },
  { view: 'cluster', name: 'Cluster', Icon: Server },
  { view: 'objects', name: 'Objects', Icon: Boxes },
  { view: 'scenarios', name: 'Scenarios', Icon: Flag },
  { view: 'faults', name: 'Faults', Icon: Zap },
  { view: 'settings', name: 'Settings', Icon: Settings },
];
const themes: Readonly<Record<ThemeChoice, { readonly next: ThemeChoice; readonly Icon: typeof Sun }>> = {
  system: { next: 'light', Icon: Monitor },
  light: { next: 'dark', Icon: Sun },
  dark: { next: 'system', Icon: Moon },
};

export function Nav() {
  const { view, go, set, helpOpen } = useNavigation();
  const { choice, choose } = useTheme();
  const { next, Icon: ThemeIcon } = themes[choice];
  return (
    <nav className="nav" aria-label="Views">
      {items.map(({ view: one, name, Icon }, index) => (
        <a
          key={one}
          className="nav-item"
          href={`#/${one}`}
          aria-current={view === one ? 'page' : undefined}
          aria-label={name}
          title={`${name} (${index + 1})`}
          onClick={(event) => {
            event.preventDefault();
            go({ view: one });
          }}
        >
          <Icon size={16} aria-hidden />
          <span className="name">{name}</span>
        </a>
      ))}
      <div className="foot">
        <button type="button" className="nav-item" onClick={() => choose(next)} aria-label={`Theme: ${choice}`} title={`Theme: ${choice}`}>
          <ThemeIcon size={16} aria-hidden />
          <span className="name">Theme: {choice}</span>
        </button>
        <button type="button" className="nav-item" onClick={() => set({ helpOpen: !helpOpen })} aria-label="Keys" title="Keys (?)">
          <Keyboard size={16} aria-hidden />
          <span className="name">Keys</span>
        </button>
      </div>
    </nav>
  );
}
