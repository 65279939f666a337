/**
 * What is made of the text in Create, and what came of it: it outlives the view, so that whoever looks elsewhere meanwhile finds it again and
 * nothing is asked for twice.
 */
import { create } from 'zustand';
import { messageOf } from '../../api/request.ts';
import { checkText } from '../../editor/check-text.ts';
import { useDrafts } from '../../editor/drafts.ts';
import { texts } from '../../texts/texts.ts';
import { applyAll, type Outcome } from './apply.ts';
import { inOrder } from './order.ts';
import { createDraft } from './read-file.ts';

const words = texts.create;

export interface Told {
  /** What was tried or applied. */
  readonly text: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly outcomes: readonly Outcome[];
  readonly fault: string;
}

interface RunState {
  readonly told: Told | undefined;
  readonly working: boolean;
  run(options: { readonly dryRun: boolean; readonly force: boolean }): Promise<void>;
}

export const useCreateRun = create<RunState>()((set, get) => ({
  told: undefined,
  working: false,
  run: async ({ dryRun, force }) => {
    if (get().working) return;
    const text = useDrafts.getState().drafts.get(createDraft)?.text ?? '';
    const { manifests, findings } = checkText(text, new Map());
    const error = findings.find(({ level }) => level === 'error');
    const fault = error ? texts.editor.atLine(error.line, error.text) : manifests.length === 0 ? words.empty : '';
    const told: Told = { text, force, dryRun, outcomes: [], fault };
    set({ told, working: fault === '' });
    if (fault !== '') return;
    const tell = (change: (before: Told) => Told): void => set(({ told: before }) => ({ told: change(before ?? told) }));
    try {
      await applyAll(inOrder(manifests), { dryRun, force }, (outcome) => tell((before) => ({ ...before, outcomes: [...before.outcomes, outcome] })));
    } catch (failure) {
      tell((before) => ({ ...before, fault: messageOf(failure) }));
    }
    set({ working: false });
  },
}));

/** What is told beside `text`: a dry run of another text, or of another way to apply it, says nothing of this one. */
export function toldOf({ told, working }: Pick<RunState, 'told' | 'working'>, text: string, force: boolean): Told | undefined {
  if (told === undefined || (!told.dryRun && working)) return told;
  return told.text === text && (!told.dryRun || told.force === force) ? told : undefined;
}
