/** Keys that follow causes: B to what a change came of (because), E to what came of it, O to the next that came of the same. */
import type { ChangeStatus } from '../../../engine/api/sim/v1alpha1/change.ts';
import { parentOf, readChange } from '../../api/changes.ts';
import { messageOf } from '../../api/request.ts';
import { useKeys } from '../../lib/keys.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';

export function goToChange(row: string, revision: number): void {
  const { set, go } = useNavigation.getState();
  set({ inspectorOpen: true });
  go({ selected: row, revision, tab: 'change' });
}

export function useChangeKeys(change: ChangeStatus | undefined): void {
  const next = async (): Promise<void> => {
    const parent = change && parentOf(change);
    if (change === undefined || parent === undefined) return;
    const { effects = [] } = await readChange(parent);
    const at = effects.findIndex(({ revision }) => revision === change.revision);
    const other = effects[(at + 1) % effects.length];
    if (other && other.revision !== change.revision) goToChange(other.row, other.revision);
  };
  useKeys({
    b: () => {
      const cause = change?.causes?.findLast(({ type, revision, object }) => type === 'write' && revision !== undefined && object !== undefined);
      if (cause?.object !== undefined && cause.revision !== undefined) goToChange(cause.object, cause.revision);
    },
    e: () => {
      const [effect] = change?.effects ?? [];
      if (effect) goToChange(effect.row, effect.revision);
    },
    o: () => {
      next().catch((error: unknown) => useNotices.getState().tell({ level: 'error', title: texts.changes.cannotRead, detail: messageOf(error) }));
    },
  });
}
