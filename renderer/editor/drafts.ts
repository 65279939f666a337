/**
 * What somebody has written and not applied yet, by object. It outlives whatever becomes of the view, the connection and the page: all but
 * Secrets are kept in the browser's session too.
 */
import { create } from 'zustand';
import type { JsonObject } from '../../engine/base/json.ts';
import { branchBase } from '../api/branch.ts';
import { namesSecret } from './editable.ts';

export interface Draft {
  /** The object that the edit began with; absent for what is to be made. */
  readonly base?: JsonObject;
  readonly text: string;
  /** Of a Secret: its values are in the text. */
  readonly withValues?: true;
  /** It came from files as it stands. */
  readonly isOpened?: true;
}

interface DraftState {
  readonly drafts: ReadonlyMap<string, Draft>;
  /** Of these the browser had no room for what is written. */
  readonly unstored: ReadonlySet<string>;
  put(id: string, draft: Draft): void;
  drop(id: string): void;
}

const prefix = `wavetank.draft:${branchBase}:`;
/** Browsers keep some five million characters a site. */
const keptMax = 1_000_000;

function stored(): ReadonlyMap<string, Draft> {
  const drafts = new Map<string, Draft>();
  for (const key of Object.keys(sessionStorage).filter((name) => name.startsWith(prefix))) {
    const draft = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Draft>;
    if (typeof draft.text === 'string') drafts.set(key.slice(prefix.length), draft as Draft);
  }
  return drafts;
}

export const useDrafts = create<DraftState>()((set, get) => ({
  drafts: stored(),
  unstored: new Set(),
  put: (id, draft) => {
    set({ drafts: new Map([...get().drafts, [id, draft]]) });
    keepSoon(id);
  },
  drop: (id) => {
    const drafts = new Map(get().drafts);
    drafts.delete(id);
    set({ drafts, unstored: new Set([...get().unstored].filter((one) => one !== id)) });
    sessionStorage.removeItem(prefix + id);
  },
}));

/** Why what is written does not outlive a reload of the page; undefined where it does. */
export function lossOf(id: string, { drafts, unstored }: Pick<DraftState, 'drafts' | 'unstored'>): 'secret' | 'long' | undefined {
  const draft = drafts.get(id);
  if (draft === undefined || draft.text.trim() === '') return undefined;
  if (isOfSecret(draft)) return 'secret';
  return draft.text.length >= keptMax || unstored.has(id) ? 'long' : undefined;
}

function isOfSecret({ base, text }: Draft): boolean {
  return base?.['kind'] === 'Secret' || namesSecret(text);
}

const keepAfterMs = 400;
const waiting = new Set<string>();

/** Not at each letter: what is long takes a while to be put away. */
function keepSoon(id: string): void {
  if (waiting.size === 0) setTimeout(keepWaiting, keepAfterMs);
  waiting.add(id);
}

function keepWaiting(): void {
  const { drafts } = useDrafts.getState();
  for (const id of waiting) {
    const draft = drafts.get(id);
    if (draft) keep(id, draft);
  }
  waiting.clear();
}

addEventListener('pagehide', keepWaiting);
/** Whoever leaves loses what is not kept: the browser asks first. */
addEventListener('beforeunload', (event) => {
  keepWaiting();
  const state = useDrafts.getState();
  if ([...state.drafts.keys()].some((id) => lossOf(id, state) !== undefined)) event.preventDefault();
});

function keep(id: string, draft: Draft): void {
  const isStored = !isOfSecret(draft) && draft.text.length < keptMax && store(id, draft);
  if (!isStored) sessionStorage.removeItem(prefix + id);
  const { unstored } = useDrafts.getState();
  if (unstored.has(id) === isStored)
    useDrafts.setState({ unstored: isStored ? new Set([...unstored].filter((one) => one !== id)) : new Set([...unstored, id]) });
}

/** False where the browser's room is full of other drafts: this one lives as long as the page. */
function store(id: string, draft: Draft): boolean {
  try {
    sessionStorage.setItem(prefix + id, JSON.stringify(draft));
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
