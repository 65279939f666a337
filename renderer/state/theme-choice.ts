/** Which theme somebody chose, and which one that is now. */
export type ThemeChoice = 'light' | 'dark' | 'system';
export type Theme = 'light' | 'dark';

const storageKey = 'wavetank.theme';

export const systemTheme = matchMedia('(prefers-color-scheme: dark)');

export function resolveTheme(choice: ThemeChoice): Theme {
  return choice === 'system' ? (systemTheme.matches ? 'dark' : 'light') : choice;
}

export function storedChoice(): ThemeChoice {
  const value = localStorage.getItem(storageKey);
  return value === 'light' || value === 'dark' ? value : 'system';
}

export function storeChoice(choice: ThemeChoice): void {
  localStorage.setItem(storageKey, choice);
}

export function applyTheme(choice: ThemeChoice): void {
  document.documentElement.dataset['theme'] = resolveTheme(choice);
}
