/** The change that is told of has a row that filters or kinds leave out: said, and one press away. */
import type { ChangeStatus } from '../../../engine/api/sim/v1alpha1/change.ts';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';

interface Props {
  readonly change: ChangeStatus | undefined;
  readonly line: number | undefined;
  readonly isLoaded: boolean;
}

export function HiddenRow({ change, line, isLoaded }: Props) {
  const { selected, search, go } = useNavigation();
  if (!change || line !== undefined || !isLoaded || search === selected) return null;
  return (
    <div className="map-note row">
      {texts.changes.rowHidden(selected)}
      <button type="button" className="button" onClick={() => go({ search: selected, kind: 'all', filter: '' })}>
        {texts.changes.showRow}
      </button>
    </div>
  );
}
