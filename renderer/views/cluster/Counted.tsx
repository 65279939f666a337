/** A number that leads to what it counts. */
import type { Place } from '../../state/address.ts';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';

interface Props {
  readonly className?: string;
  readonly place: Partial<Place>;
  readonly children: string;
}

export function Counted({ className = 'badge', place, children }: Props) {
  const { go, set } = useNavigation();
  return (
    <button
      type="button"
      className={`behind ${className}`}
      title={texts.cluster.showThem}
      onClick={() => {
        go(place);
        set({ inspectorOpen: true });
      }}
    >
      {children}
    </button>
  );
}
