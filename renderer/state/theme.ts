/** Light, dark or as the system has it; remembered. Canvas colours are read from the same tokens as everything else. */
import { create } from 'zustand';
import { applyTheme, resolveTheme, storeChoice, storedChoice, systemTheme, type Theme, type ThemeChoice } from './theme-choice.ts';

export type { ThemeChoice } from './theme-choice.ts';

interface ThemeState {
  readonly choice: ThemeChoice;
  readonly shown: Theme;
  choose(choice: ThemeChoice): void;
}

export const useTheme = create<ThemeState>()((set) => ({
  choice: storedChoice(),
  shown: resolveTheme(storedChoice()),
  choose: (choice) => {
    storeChoice(choice);
    applyTheme(choice);
    set({ choice, shown: resolveTheme(choice) });
  },
}));

export function startTheme(): void {
  applyTheme(useTheme.getState().choice);
  systemTheme.addEventListener('change', () => {
    const { choice } = useTheme.getState();
    applyTheme(choice);
    useTheme.setState({ shown: resolveTheme(choice) });
  });
}

/** Value of a colour token for drawing on a canvas. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
