/** What becomes of a run's cluster: kept, or thrown away with the run. */
import { shellQuote } from '../../editor/shell-quote.ts';
import { Pin, Trash2 } from 'lucide-react';
import { keepAnnotation, type ScenarioRun } from '../../../engine/api/sim/v1alpha1/scenario.ts';
import { useState } from 'react';
import { messageOf, request } from '../../api/request.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.scenarios;
const path = '/apis/sim.wavetank.dev/v1alpha1/scenarioruns';

/** What keeps a run's cluster, or lets it go again. */
export function keepLine({ metadata }: ScenarioRun): string {
  return `kubectl annotate scenariorun ${shellQuote(metadata.name ?? '')} ${keepAnnotation}${isKept(metadata) ? '-' : '=true'}`;
}

function isKept({ annotations }: ScenarioRun['metadata']): boolean {
  return annotations?.[keepAnnotation] === 'true';
}

export function RunButtons({ run: { metadata, status } }: { readonly run: ScenarioRun }) {
  const throwLine = `kubectl delete scenariorun ${shellQuote(metadata.name ?? '')}`;
  const kept = isKept(metadata);
  const { busy, once } = useOnce();
  const [asking, setAsking] = useState(false);
  const ask = (options: Parameters<typeof request>[1]): void =>
    once(() =>
      request(`${path}/${encodeURIComponent(metadata.name ?? '')}`, options).then(
        () => undefined,
        (error: unknown) => useNotices.getState().tell({ level: 'error', title: words.notDone, detail: messageOf(error) }),
      ),
    );
  if (asking)
    return (
      <>
        <code className="muted dense">{throwLine}</code>
        <button type="button" className="button danger" autoFocus disabled={busy} onClick={() => ask({ method: 'DELETE' })}>
          {words.throwAwaySure}
        </button>
        <button type="button" className="button quiet" onClick={() => setAsking(false)}>
          {words.keepRun}
        </button>
      </>
    );
  const keep = (): void => ask({ method: 'PATCH', body: { metadata: { annotations: { [keepAnnotation]: kept ? null : 'true' } } } });
  return (
    <>
      {status?.branch ? (
        <button type="button" className="button" aria-pressed={kept} disabled={busy} title={words.keepText} onClick={keep}>
          <Pin size={13} aria-hidden />
          {kept ? words.kept : words.keep}
        </button>
      ) : null}
      <button type="button" className="button" title={words.throwAwayText} onClick={() => setAsking(true)}>
        <Trash2 size={13} aria-hidden />
        {words.throwAway}
      </button>
    </>
  );
}
