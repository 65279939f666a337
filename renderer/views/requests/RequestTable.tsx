/** Requests one by one; what one changed is opened in the inspector. */
import type { APIRequest, APIRequestStatus } from '../../../engine/api/sim/v1alpha1/api-request.ts';
import type { CauseChain } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { messageOf, request } from '../../api/request.ts';
import { formatActor } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useNotices } from '../../state/notices.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { type ClientType, isSlow } from './choice.ts';

const words = texts.requests;

interface Props {
  readonly requests: readonly APIRequest[];
  /** Of what: of a component nobody knows how long it took, and of a webhook it is told whose write it was about. */
  readonly type: ClientType;
}

export function RequestTable({ requests, type }: Props) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>{words.columns.time}</th>
          <th>{type === 'Outside' ? words.columns.client : words.columns.user}</th>
          <th>{words.columns.verb}</th>
          <th>{words.columns.request}</th>
          <th className="number">{words.columns.code}</th>
          {type === 'Component' ? null : <th className="number">{words.columns.latency}</th>}
          <th>{words.columns.change}</th>
        </tr>
      </thead>
      <tbody>
        {requests.map((one) => (
          <RequestRow key={one.metadata.name} one={one} type={type} />
        ))}
      </tbody>
    </table>
  );
}

function RequestRow({ one, type }: Omit<Props, 'requests'> & { readonly one: APIRequest }) {
  const when = useWhen();
  const { status } = one;
  const { requestReceivedTimestamp: received, userAgent, username, verb, requestURI, code, latencyMs, message, change } = status;
  return (
    <tr>
      <td className="tight">{when(Date.parse(received))}</td>
      <td className="tight" title={shorten(`${userAgent} as ${username}`, 600)}>
        {type === 'Outside' ? <code>{shorten(userAgent.split('/')[0] || words.noAgent, 40)}</code> : formatActor(username)}
      </td>
      <td className="tight">{verb}</td>
      <td className="request" title={requestURI}>
        <code>{shorten(whatOf(status), 160)}</code>
        {status.namespace === undefined ? null : <code className="muted"> {words.inNamespace(shorten(status.namespace, 63))}</code>}
        {message ? <div className="bad dense">{shorten(message, 300)}</div> : null}
      </td>
      <td className={`number ${code >= 400 ? 'bad' : ''}`}>{code === 0 ? '' : code}</td>
      {type === 'Component' ? null : (
        <td className={`number tight ${isSlow(one) ? 'warn' : ''}`}>{latencyMs === undefined ? words.open : words.ms(latencyMs)}</td>
      )}
      <td className="tight">
        {change && change.lastRevision > 0 ? (
          <button type="button" className="link" title={words.changeTitle} onClick={() => void openChange(change.firstRevision)}>
            {words.change(change.lastRevision - change.firstRevision + 1)}
          </button>
        ) : null}
      </td>
    </tr>
  );
}

/** An object as kubectl names it where it is about one, else its path. */
function whatOf({ resource, subresource, name, requestURI }: APIRequestStatus): string {
  if (resource === undefined) return requestURI;
  return [resource, name, subresource].filter((part) => part !== undefined).join('/');
}

/** What was made under a generated name stands in no request: the change itself knows its object. */
async function openChange(revision: number): Promise<void> {
  try {
    const { links } = await request<CauseChain>(`/apis/sim.wavetank.dev/v1alpha1/causechains/${revision}`);
    const { go, set } = useNavigation.getState();
    go({ selected: links.find(({ object }) => object !== undefined)?.object ?? '', tab: 'why', revision });
    set({ inspectorOpen: true });
  } catch (error) {
    useNotices.getState().tell({ level: 'error', title: texts.frame.why.cannotRead, detail: messageOf(error) });
  }
}
