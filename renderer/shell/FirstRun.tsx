/** Ways to begin, while the cluster is empty or when somebody asks for them. */
import { Copy, X } from 'lucide-react';
import type { Overview } from '../../engine/api/sim/v1alpha1/overview.ts';
import { OnlyNow } from '../acts/OnlyNow.tsx';
import { useAccess } from '../api/access.ts';
import { useReading } from '../api/computed.ts';
import { messageOf, request } from '../api/request.ts';
import { ErrorBox } from '../components/ErrorBox.tsx';
import { Unbroken } from '../editor/Unbroken.tsx';
import { useOnce } from '../lib/use-once.ts';
import { useClock } from '../state/clock.ts';
import { useNavigation } from '../state/navigation.ts';
import { useNotices } from '../state/notices.ts';
import { texts } from '../texts/texts.ts';
import { useRange } from '../timeline/range.ts';

const words = texts.begin;
/** Of what was begun. */
const firstSpanMs = 60_000;
const sample = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'hello', labels: { app: 'hello' } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'hello' } },
    template: { metadata: { labels: { app: 'hello' } }, spec: { containers: [{ name: 'nginx', image: 'nginx' }] } },
  },
};

export function FirstRun() {
  const { view, beginOpen, go, set } = useNavigation();
  const isEmpty = useIsEmpty();
  const isPaused = useClock((state) => state.speed === 'paused');
  const { busy, once } = useOnce();
  const isHome = view === 'timeline' || view === 'cluster';
  if (!(beginOpen ?? (isEmpty && isHome))) return null;
  return (
    <section className="begin" aria-label={words.title}>
      <div className="begin-head">
        <h2>{isEmpty ? words.empty : words.title}</h2>
        <button type="button" className="button icon quiet" aria-label={words.close} onClick={() => set({ beginOpen: false })}>
          <X size={15} aria-hidden />
        </button>
      </div>
      <ol>
        <li>
          <h3>{words.sample.title}</h3>
          <p>{words.sample.text}</p>
          <OnlyNow>
            <button type="button" className="button primary" disabled={busy} onClick={() => once(createSample)}>
              {words.sample.act}
            </button>
          </OnlyNow>
          <Line text={words.sample.line} />
          <p className="muted">
            {words.sample.after} {isPaused ? words.sample.isPaused : ''}
          </p>
        </li>
        <li>
          <h3>{words.scenario.title}</h3>
          <p>{words.scenario.text}</p>
          <button type="button" className="button" onClick={() => go({ view: 'scenarios' })}>
            {words.scenario.act}
          </button>
          <p className="muted">{words.scenario.after}</p>
        </li>
        <li>
          <h3>{words.kubectl.title}</h3>
          <Access />
          <p className="muted">{words.kubectl.after}</p>
        </li>
      </ol>
    </section>
  );
}

/** No pods, and nothing that makes some; false until it is known. */
function useIsEmpty(): boolean {
  const { items } = useReading<Overview>('overview');
  const status = items?.[0]?.status;
  return status !== undefined && status.workloads === 0 && Object.values(status.pods).every((count) => count === 0);
}

async function createSample(): Promise<void> {
  const { tell } = useNotices.getState();
  try {
    await request('/apis/apps/v1/namespaces/default/deployments', { method: 'POST', body: sample });
    const { speed, nowMs, startMs } = useClock.getState();
    tell({ level: 'info', title: words.sample.made, detail: speed === 'paused' ? words.sample.madePaused : words.sample.madeDetail });
    // In what has passed of an empty cluster its first seconds would be a sliver.
    useRange.getState().fit(nowMs, startMs, firstSpanMs);
    useNavigation.getState().set({ beginOpen: undefined });
  } catch (error) {
    tell({ level: 'error', title: words.sample.refused, detail: messageOf(error) });
  }
}

function Access() {
  const { access, error } = useAccess();
  if (error !== '') return <ErrorBox title={words.kubectl.unread} detail={error} />;
  if (access === undefined) return null;
  if (access === null) return <p>{words.kubectl.none}</p>;
  return (
    <>
      <p>{words.kubectl.text}</p>
      <Line text={`export KUBECONFIG=${quoted(access.kubeconfig)}`} />
      <Line text={`kubectl --context ${access.context} get nodes`} />
    </>
  );
}

/** As a shell takes it. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function Line({ text }: { readonly text: string }) {
  const copy = (): void => {
    const { tell } = useNotices.getState();
    navigator.clipboard.writeText(text).then(
      () => tell({ level: 'info', title: texts.acts.copied }),
      () => tell({ level: 'error', title: texts.acts.copy, detail: texts.acts.notCopied }),
    );
  };
  return (
    <div className="line">
      <code>
        <Unbroken text={text} />
      </code>
      <button type="button" className="button icon quiet" aria-label={words.copy(text)} onClick={copy}>
        <Copy size={13} aria-hidden />
      </button>
    </div>
  );
}
