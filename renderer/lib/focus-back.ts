/**
 * What had the keys is gone (a card was closed, a panel put away, a button replaced by another): they go back to where they were before they came into it, and not to the top of the
 * page. Where nothing had them before, nothing has them; but whoever goes by keys stays in the part of the page where she was.
 */
import { useEffect } from 'react';

const keptMax = 30;
const lookAgainMs = 100;
const controls = 'a[href], button, input, select, textarea, summary, [tabindex]';
const view = 'main.view';

export function useFocusBack(): void {
  useEffect(() => {
    /** Who had the keys, the last one last; undefined: nobody. */
    let had: (HTMLElement | undefined)[] = [];
    /** What the last one lay in, the innermost first. */
    let around: readonly HTMLElement[] = [];
    let byKeys = false;
    /** What lost the keys because it did its work. */
    let wasBusy: HTMLElement | undefined;
    let wait: ReturnType<typeof setTimeout> | undefined;
    const keep = (one: HTMLElement | undefined) => {
      had = [...had.filter((other) => other === undefined || other !== one), one].slice(-keptMax);
    };
    const arrive = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      keep(target);
      around = ancestorsOf(target);
    };
    const leave = ({ target, relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null || !(target instanceof HTMLElement) || !document.hasFocus()) return;
      // Of what goes out of the page, or does its work now, browsers say that it lost the keys, before that or after: it did not give them back.
      if (target.isConnected) keep(undefined);
      wasBusy = isBusy(target) ? target : undefined;
      if (byKeys) look();
    };
    const press = () => {
      byKeys = true;
      look();
    };
    const point = () => (byKeys = false);
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => giveBack());
      });
    };
    const giveBack = () => {
      clearTimeout(wait);
      if (document.activeElement !== document.body) return;
      const last = had.at(-1) ?? had.at(-2);
      if (last === undefined) return;
      const part = byKeys ? partOf(around) : undefined;
      const near = part && nearest(part, had);
      // A button that does what it was pressed for has no keys meanwhile: they are its own again when it is done, or go on when it has become another.
      if (part !== undefined && (isBusy(last) || (!isThere(last) && near === undefined && controlsIn(part).some(isBusy)))) {
        wasBusy = last;
        wait = setTimeout(giveBack, lookAgainMs);
        return;
      }
      if (isThere(last) && last !== wasBusy) return;
      wasBusy = undefined;
      if (had.at(-1) === undefined) had.pop();
      had = had.filter((one) => one === undefined || isThere(one));
      const next = (isThere(last) ? last : near) ?? had.at(-1) ?? (byKeys ? document.querySelector<HTMLElement>(view) : undefined);
      next?.focus({ preventScroll: true });
    };
    document.addEventListener('focusin', arrive);
    document.addEventListener('focusout', leave);
    addEventListener('keydown', press);
    addEventListener('click', look);
    addEventListener('pointerdown', point, true);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(wait);
      document.removeEventListener('focusin', arrive);
      document.removeEventListener('focusout', leave);
      removeEventListener('keydown', press);
      removeEventListener('click', look);
      removeEventListener('pointerdown', point, true);
    };
  }, []);
}

/** What is left of where the keys were; undefined where all of it is gone, up to the frame around the view. */
function partOf(around: readonly HTMLElement[]): HTMLElement | undefined {
  const part = around.find((one) => one.isConnected);
  return part?.contains(document.querySelector(view)) === true ? undefined : part;
}

/** The part itself where it can have the keys, else who had them in it last, else the first that can. */
function nearest(part: HTMLElement, had: readonly (HTMLElement | undefined)[]): HTMLElement | undefined {
  if (part.tabIndex >= 0) return part;
  const can = (one: HTMLElement | undefined): boolean => one !== undefined && part.contains(one) && isThere(one) && !isBusy(one);
  return had.findLast(can) ?? controlsIn(part).find(can);
}

function controlsIn(part: HTMLElement): readonly HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>(controls)];
}

function ancestorsOf(element: HTMLElement): readonly HTMLElement[] {
  const all: HTMLElement[] = [];
  for (let one = element.parentElement; one !== null; one = one.parentElement) all.push(one);
  return all;
}

function isThere(one: HTMLElement): boolean {
  return one.isConnected && one.checkVisibility();
}

function isBusy(one: HTMLElement): boolean {
  return isThere(one) && one.matches(':disabled');
}
