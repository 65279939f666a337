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
