/** What becomes of a run's cluster: kept, or thrown away with the run. */
import { Pin, Trash2 } from 'lucide-react';
import { keepAnnotation, type ScenarioRun } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { messageOf, request } from '../../api/request.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.scenarios;
const path = '/apis/sim.wavetank.dev/v1alpha1/scenarioruns';

export function RunButtons({ run: { metadata, status } }: { readonly run: ScenarioRun }) {
  const isKept = metadata.annotations?.[keepAnnotation] === 'true';
  const ask = (options: Parameters<typeof request>[1]): void => {
    request(`${path}/${encodeURIComponent(metadata.name ?? '')}`, options).catch((error: unknown) =>
      useNotices.getState().tell({ level: 'error', title: words.notDone, detail: messageOf(error) }),
    );
  };
  const keep = (): void => ask({ method: 'PATCH', body: { metadata: { annotations: { [keepAnnotation]: isKept ? null : 'true' } } } });
  return (
    <>
      {status?.branch ? (
        <button
          type="button"
          className="button"
          aria-pressed={isKept}
          title={words.withLine(words.keepText, `kubectl annotate scenariorun ${metadata.name} ${keepAnnotation}${isKept ? '-' : '=true'}`)}
          onClick={keep}
        >
          <Pin size={13} aria-hidden />
          {isKept ? words.kept : words.keep}
        </button>
      ) : null}
      <button
        type="button"
        className="button"
        title={words.withLine(words.throwAwayText, `kubectl delete scenariorun ${metadata.name}`)}
        onClick={() => ask({ method: 'DELETE' })}
      >
        <Trash2 size={13} aria-hidden />
        {words.throwAway}
      </button>
    </>
  );
}
