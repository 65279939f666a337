/**
 * What had the keys is gone (a card was closed, a panel put away): they go back to where they were before they came into it, and not to the top of the page. Where nothing had
 * them before, nothing has them.
 */
import { useEffect } from 'react';

const keptMax = 30;

export function useFocusBack(): void {
  useEffect(() => {
    /** Who had the keys, the last one last; undefined: nobody. */
    let had: (HTMLElement | undefined)[] = [];
    const keep = (one: HTMLElement | undefined) => {
      had = [...had.filter((other) => other === undefined || other !== one), one].slice(-keptMax);
    };
    const arrive = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) keep(target);
    };
    const leave = ({ target, relatedTarget }: FocusEvent) => {
      // Of what goes out of the page browsers say that it lost the keys: it did not give them back.
      if (relatedTarget === null && target instanceof HTMLElement && target.isConnected && document.hasFocus()) keep(undefined);
    };
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => giveBack());
      });
    };
    const giveBack = () => {
      if (document.activeElement !== document.body) return;
      const isGone = (one: HTMLElement | undefined): boolean => one !== undefined && !(one.isConnected && one.checkVisibility());
      if (!isGone(had.at(-1) ?? had.at(-2))) return;
      if (had.at(-1) === undefined) had.pop();
      while (isGone(had.at(-1))) had.pop();
      had.at(-1)?.focus({ preventScroll: true });
    };
    document.addEventListener('focusin', arrive);
    document.addEventListener('focusout', leave);
    addEventListener('keydown', look);
    addEventListener('click', look);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('focusin', arrive);
      document.removeEventListener('focusout', leave);
      removeEventListener('keydown', look);
      removeEventListener('click', look);
    };
  }, []);
}
