/** Who asks: clients outside, webhooks that are asked, and the components of the cluster. */
import type { APIClient, APIClientStatus } from '../../../engine/api/sim/v1alpha1/api-request.ts';
import { shorten } from '../../lib/shorten.ts';
import { texts } from '../../texts/texts.ts';
import { type Choice, isPageClient } from './choice.ts';

const words = texts.requests;
const types = ['Outside', 'Webhook', 'Component'] as const;
const shownMax = 50;
/** As the engine calls clients that do not say what they are. */
const anonymous = '(none)';

interface Props {
  readonly clients: readonly APIClient[];
  readonly choice: Choice;
  readonly onChoose: (part: Partial<Choice>) => void;
}

export function ClientList({ clients, choice, onChoose }: Props) {
  return (
    <div className="kind-list clients" data-rows="button" role="group" aria-label={words.clients}>
      <button type="button" aria-pressed={choice.client === ''} onClick={() => onChoose({ client: '', type: 'Outside' })}>
        {words.all}
      </button>
      {types.map((type) => {
        const shown = clients.filter((one) => one.status.type === type && (choice.page || !isPageClient(one))).sort(worstFirst);
        return (
          <section key={type} aria-label={words.types[type]}>
            <h2 className="small-title">{words.types[type]}</h2>
            {shown.length === 0 ? <p className="muted dense">{words.none[type]}</p> : null}
            {shown.slice(0, shownMax).map(({ metadata, status }) => (
              <button
                key={metadata.name}
                type="button"
                aria-pressed={choice.client === status.client && choice.type === type}
                onClick={() => onChoose({ client: status.client, type })}
              >
                <Client status={status} />
              </button>
            ))}
            {type === 'Component' && shown.length > 0 ? <p className="muted dense">{words.componentsNote}</p> : null}
          </section>
        );
      })}
    </div>
  );
}

function Client({ status }: { readonly status: APIClientStatus }) {
  const { client, requests, failed, requestsPerSecond, meanLatencyMs, slowestMs } = status;
  return (
    <>
      <span className="client-name">
        <code>{client === anonymous ? words.noAgent : shorten(client, 60)}</code>
        {requestsPerSecond > 0 ? <span className="accent">{words.perSecond(requestsPerSecond)}</span> : null}
      </span>
      <span className={`dense ${failed > 0 ? 'bad' : 'muted'}`}>{words.client(requests, failed)}</span>
      {meanLatencyMs === undefined || slowestMs === undefined ? null : <span className="dense muted">{words.latency(meanLatencyMs, slowestMs)}</span>}
    </>
  );
}

/** Failing ones first, then the busiest. */
function worstFirst({ status: a }: APIClient, { status: b }: APIClient): number {
  return Number(b.failed > 0) - Number(a.failed > 0) || b.requests - a.requests || (a.client < b.client ? -1 : 1);
}
