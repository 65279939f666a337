/** What clients ask of the API server, as it comes: who, what for, what came of it, how long it took, and what it changed. */
import { useMemo } from 'react';
import type { APIClient, APIRequest } from '../../../engine/api/sim/v1alpha1/api-request.ts';
import { computeAhead, useComputed } from '../../api/computed.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { useFirstRows } from '../../lib/use-first-rows.ts';
import { onGoingTo } from '../../state/going.ts';
import { useNavigation } from '../../state/navigation.ts';
import { usePast } from '../../state/past.ts';
import { texts } from '../../texts/texts.ts';
import { type Choice, clientsPath, filterOf, orderOf, readChoice, requestsMost, requestsPath } from './choice.ts';
import { ClientList } from './ClientList.tsx';
import { Filters } from './Filters.tsx';
import { RequestTable } from './RequestTable.tsx';

const words = texts.requests;
const none: readonly APIRequest[] = [];
const nothingChosen = { kind: '', filter: '' };
const [clientsKey, requestsKey] = ['apiclients', 'apirequests'];

onGoingTo('requests', ({ kind, filter, group }) => {
  computeAhead(clientsKey, clientsPath);
  computeAhead(requestsKey, requestsPath(readChoice(kind, filter, group)));
});

export function RequestsView() {
  const { kind, filter, group, go } = useNavigation();
  const choice = useMemo(() => readChoice(kind, filter, group), [kind, filter, group]);
  const isPast = usePast() !== undefined;
  const clients = useComputed<APIClient>(clientsKey, clientsPath);
  const requests = useComputed<APIRequest>(requestsKey, requestsPath(choice));
  const sorted = useMemo(() => requests.items?.toSorted(orderOf(choice)), [requests.items, choice]);
  const shown = useFirstRows(sorted ?? none, requests.path);
  const choose = (part: Partial<Choice>): void => {
    const next = { ...choice, ...part };
    go({ kind: next.client, filter: filterOf(next), group: next.sort });
  };
  const error = requests.error || clients.error;
  return (
    <>
      <div className="view-head">
        <h1>{words.title}</h1>
        <Filters choice={choice} requests={sorted ?? []} onChoose={choose} />
      </div>
      {isPast ? <p className="map-note">{words.ofNow}</p> : null}
      {error ? <ErrorBox title={words.cannotRead} detail={error} /> : null}
      <div className="view-body requests">
        <ClientList clients={clients.items ?? []} choice={choice} onChoose={choose} />
        <div className="table-wrap" tabIndex={0} role="region" aria-label={words.list}>
          {sorted && sorted.length > 0 ? <RequestTable requests={shown} type={choice.type} /> : null}
          {sorted && sorted.length >= requestsMost ? <p className="map-note">{words.cut(requestsMost)}</p> : null}
          {choice.type === 'Webhook' ? <p className="map-note">{words.askedOf(choice.client)}</p> : null}
          {choice.type === 'Component' ? <p className="map-note">{words.keptOf(choice.client)}</p> : null}
          {sorted && sorted.length === 0 ? (
            <Empty title={words.emptyTitle}>
              {words.emptyText} <code>{words.emptyLine}</code>
              {kind || filter ? (
                <button type="button" className="button" onClick={() => go(nothingChosen)}>
                  {words.clear}
                </button>
              ) : null}
            </Empty>
          ) : null}
        </div>
      </div>
    </>
  );
}
