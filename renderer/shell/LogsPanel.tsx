/** Logs of the selected pod, read as they are written. */
import { useEffect, useMemo, useRef, useState } from 'react';
import { useObject } from '../api/objects.ts';
import { followText } from '../api/follow-text.ts';
import { isAbort, messageOf } from '../api/request.ts';
import { Empty } from '../components/Empty.tsx';
import { ErrorBox } from '../components/ErrorBox.tsx';
import { useNavigation } from '../state/navigation.ts';

const linesMax = 2000;

export function LogsPanel() {
  const selected = useNavigation((state) => state.selected);
  if (!selected.startsWith('pods/'))
    return <Empty title="No pod is selected">Select a pod in any view and what its containers write appears here.</Empty>;
  return <PodLogs key={selected} id={selected} />;
}

function PodLogs({ id }: { readonly id: string }) {
  const { object, name, synced } = useObject(id);
  const [chosen, setChosen] = useState('');
  const [previous, setPrevious] = useState(false);
  const { containers, restarts, running } = useMemo(() => containersOf(object), [object]);
  const container = chosen || (containers[0] ?? '');
  const { lines, error } = useLog(name.namespace, name.name, container, previous, `${restarts} ${running}`);
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = foot.current?.closest('.drawer-body');
    if (box && box.scrollHeight - box.scrollTop - box.clientHeight < 120) foot.current?.scrollIntoView({ block: 'end' });
  }, [lines]);
  if (synced && !object) return <Empty title="The pod is gone">Its logs went with it. Its history is still on the timeline.</Empty>;
  return (
    <>
      <div className="log-bar">
        <code>{name.name}</code>
        {containers.length > 1 ? (
          <select className="field" aria-label="Container" value={container} onChange={(event) => setChosen(event.target.value)}>
            {containers.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        ) : (
          <span className="muted">container {container}</span>
        )}
        {restarts > 0 ? (
          <button type="button" className="button" aria-pressed={previous} onClick={() => setPrevious(!previous)}>
            Before the restart
          </button>
        ) : null}
      </div>
      {error ? <ErrorBox title="The logs cannot be read" detail={error} /> : null}
      <pre className="log" role="log" aria-label={`Logs of ${name.name}`}>
        {lines.length > 0 ? (
          lines.map((line, index) => <div key={index}>{line}</div>)
        ) : (
          <span className="muted">{error ? '' : 'Nothing was written yet.'}</span>
        )}
      </pre>
      <div ref={foot} />
    </>
  );
}

function containersOf(object: ReturnType<typeof useObject>['object']) {
  const spec = object?.spec as { containers?: { name: string }[]; initContainers?: { name: string }[] } | undefined;
  const statuses = (object?.status?.['containerStatuses'] ?? []) as { restartCount?: number; state?: { running?: object } }[];
  return {
    containers: [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].map(({ name }) => name),
    restarts: statuses.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0),
    running: statuses.filter(({ state }) => state?.running).length,
  };
}

/** Starts anew whenever a container restarted; `life` tells. */
function useLog(namespace: string, pod: string, container: string, previous: boolean, life: string) {
  const [answer, setAnswer] = useState<{ lines: readonly string[]; error: string }>({ lines: [], error: '' });
  useEffect(() => {
    if (container === '') return undefined;
    const abort = new AbortController();
    let lines: readonly string[] = [];
    const query = new URLSearchParams({ container, tailLines: String(linesMax), ...(previous ? { previous: 'true' } : { follow: 'true' }) });
    setAnswer({ lines, error: '' });
    followText(`/api/v1/namespaces/${namespace}/pods/${pod}/log?${query.toString()}`, abort.signal, (more) => {
      lines = [...lines, ...more].slice(-linesMax);
      setAnswer({ lines, error: '' });
    }).catch((error: unknown) => {
      if (!isAbort(error)) setAnswer({ lines, error: messageOf(error) });
    });
    return () => abort.abort();
  }, [namespace, pod, container, previous, life]);
  return answer;
}
