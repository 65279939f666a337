/**
 * Tables and lists by keys, wherever there are some: arrows go from row to row in one column, Home and End to the ends, and the Tab key passes by the rows that are left
 * instead of stopping in each. A body of a table is one list; others say by `data-rows` what their rows are.
 */
import { useEffect } from 'react';

const lists = 'tbody, [data-rows]';
const controls = 'a[href], button, input, select, textarea, summary, [tabindex]';
const current = '.is-selected, [aria-pressed="true"], [aria-current]';
/** Rows of the timeline that are selected by arrows: it does so itself, and brings them into view. */
const selecting = '.tl-labels';

export function useListKeys(): void {
  useEffect(() => {
    let isTab = false;
    // First of all listeners: what it does not take is left to the views.
    const press = (event: KeyboardEvent) => {
      isTab = event.key === 'Tab';
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const from = document.activeElement;
      if (!(from instanceof HTMLElement) || (!isTab && isWriting(from)) || from.shadowRoot !== null) return;
      const next = isTab ? tabbed(from, event.shiftKey) : arrowed(event.key, from);
      if (next === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      next.focus();
    };
    const arrive = ({ target, relatedTarget }: FocusEvent) => {
      if (!isTab || !(target instanceof HTMLElement)) return;
      isTab = false;
      const list = target.closest(lists);
      if (list === null || list.contains(relatedTarget as Node | null)) return;
      const row = rowsOf(list).find((one) => one.matches(current));
      if (row !== undefined && !row.contains(target)) controlsOf(row)[0]?.focus();
    };
    addEventListener('keydown', press, true);
    document.addEventListener('focusin', arrive);
    return () => {
      removeEventListener('keydown', press, true);
      document.removeEventListener('focusin', arrive);
    };
  }, []);
}

/** Fields keep their keys; boxes to tick have none that lists need. */
function isWriting(element: HTMLElement): boolean {
  return element.matches('textarea, select, [contenteditable="true"], input:not([type="checkbox"])');
}

/** Where the Tab key leads other than by itself: round in what lies over the page, and out of a list from its row. */
function tabbed(from: HTMLElement, isBack: boolean): HTMLElement | undefined {
  const modal = document.querySelector('[aria-modal="true"]');
  if (modal instanceof HTMLElement) {
    const all = controlsOf(modal);
    const [first, last] = [all[0], all.at(-1)];
    if (!modal.contains(from)) return first;
    return from === (isBack ? first : last) ? (isBack ? last : first) : undefined;
  }
  const list = from.closest(lists);
  const row = list && rowsOf(list).find((one) => one.contains(from));
  if (!list || !row || controlsOf(row).at(isBack ? 0 : -1) !== from) return undefined;
  const all = [...document.querySelectorAll<HTMLElement>(controls)];
  const beside = isBack ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  const isBeside = (one: HTMLElement): boolean =>
    (list.compareDocumentPosition(one) & beside) > 0 && !list.contains(one) && !one.contains(list) && canFocus(one);
  return isBack ? all.findLast(isBeside) : all.find(isBeside);
}

function arrowed(key: string, from: HTMLElement): HTMLElement | undefined {
  const list = from.closest(lists);
  if (list === null) return undefined;
  const rows = rowsOf(list);
  const at = rows.findIndex((row) => row.contains(from));
  const row = rows[at];
  if (row === undefined) return undefined;
  const to = targetOf(key, at, rows.length);
  if (to === undefined) return undefined;
  const next = rows[to];
  if (list.matches(selecting)) return selectingNext(key, from, row, next);
  const column = controlsOf(row).indexOf(from);
  const there = next === undefined ? [] : controlsOf(next);
  return there[Math.min(column, there.length - 1)] ?? from;
}

function targetOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    // At the ends the browser scrolls to what has no rows.
    case 'ArrowDown':
      return at + 1 < count ? at + 1 : undefined;
    case 'ArrowUp':
      return at > 0 ? at - 1 : undefined;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Heads of groups are gone to; rows are selected by the timeline, from the one that has the keys on, and these follow. */
function selectingNext(key: string, from: HTMLElement, row: HTMLElement, next: HTMLElement | undefined): HTMLElement | undefined {
  if (key === 'Home' || key === 'End') return undefined;
  const isHead = row.matches('.is-head');
  if (next !== undefined && next !== row && (isHead || next.matches('.is-head'))) return controlsOf(next).at(-1);
  if (!row.matches('.is-selected') && !isHead) controlsOf(row).at(-1)?.click();
  const list = row.parentElement;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const selected = list?.querySelector<HTMLElement>(`:scope > .is-selected`);
      if (selected && (document.activeElement === from || document.activeElement === document.body))
        controlsOf(selected).at(-1)?.focus({ preventScroll: true });
    }),
  );
  return undefined;
}

function rowsOf(list: Element): readonly HTMLElement[] {
  const rows = list.getAttribute('data-rows') ?? 'tr';
  return [...list.querySelectorAll<HTMLElement>(`:scope ${rows}`)].filter((row) => controlsOf(row).length > 0);
}

/** What can have the keys in it, itself included. */
function controlsOf(row: HTMLElement): readonly HTMLElement[] {
  const inside = [...row.querySelectorAll<HTMLElement>(controls)];
  return (row.matches(controls) ? [row, ...inside] : inside).filter(canFocus);
}

function canFocus(element: HTMLElement): boolean {
  return element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility();
}
