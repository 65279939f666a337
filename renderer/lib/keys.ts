/** Single-key commands. Text fields keep their keys; a focused button keeps space and enter. */
import { useEffect, useRef } from 'react';

export type KeyMap = { readonly [key: string]: () => void };

export function useKeys(map: KeyMap): void {
  const latest = useRef(map);
  latest.current = map;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      // The innermost: an editor lies in a shadow root, which hides it from the event's own target.
      const [inner] = event.composedPath();
      const target = inner instanceof HTMLElement ? inner : undefined;
      if (target?.closest('input, textarea, select, [contenteditable="true"]')) return;
      if (event.key === ' ' && target?.closest('button, a, summary, [role="tab"]')) return;
      const command = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!command) return;
      event.preventDefault();
      command();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/**
 * Fields give the keys back once they are done with: a search by Enter, or by Escape where nothing is searched, a choice when it was made with the pointer. Whoever goes
 * through choices by keys stays in them.
 */
export function useKeysBack(): void {
  useEffect(() => {
    // Lists of choices are no part of the page: what opened one says by what it was chosen from.
    let byPointer = false;
    const point = () => (byPointer = true);
    const listen = ({ key, target, defaultPrevented, isComposing }: KeyboardEvent) => {
      byPointer = false;
      if (defaultPrevented || isComposing || !(target instanceof HTMLInputElement) || target.type !== 'search') return;
      if (key === 'Enter' || (key === 'Escape' && target.value === '')) target.blur();
    };
    const choose = ({ target }: Event) => {
      if (byPointer && target instanceof HTMLSelectElement) target.blur();
    };
    addEventListener('pointerdown', point, true);
    addEventListener('keydown', listen);
    addEventListener('change', choose);
    return () => {
      removeEventListener('pointerdown', point, true);
      removeEventListener('keydown', listen);
      removeEventListener('change', choose);
    };
  }, []);
}
