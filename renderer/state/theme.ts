/** Light, dark or as the system has it; remembered. Canvas colours are read from the same tokens as everything else. */
import { create } from 'zustand';

export type ThemeChoice = 'light' | 'dark' | 'system';
interface ThemeState {
  readonly choice: ThemeChoice;
  readonly shown: 'light' | 'dark';
  choose(choice: ThemeChoice): void;
}

const storageKey = 'wavetank.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const resolve = (choice: ThemeChoice): 'light' | 'dark' => (choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice);

function stored(): ThemeChoice {
  const value = localStorage.getItem(storageKey);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export const useTheme = create<ThemeState>()((set) => ({
  choice: stored(),
  shown: resolve(stored()),
  choose: (choice) => {
    localStorage.setItem(storageKey, choice);
    apply(choice);
    set({ choice, shown: resolve(choice) });
  },
}));

function apply(choice: ThemeChoice): void {
  document.documentElement.dataset['theme'] = resolve(choice);
}

export function startTheme(): void {
  apply(useTheme.getState().choice);
  dark.addEventListener('change', () => {
    const { choice } = useTheme.getState();
    apply(choice);
    useTheme.setState({ shown: resolve(choice) });
  });
}

/** Value of a colour token for drawing on a canvas. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
