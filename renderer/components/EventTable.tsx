/** Events as a table; names select what they are about. */
import { TriangleAlert } from 'lucide-react';
import type { EventRow } from '../../engine/component-helpers/page-rows.ts';
import { rowIdOfKind, useResources } from '../api/resources.ts';
import { shorten } from '../lib/shorten.ts';
import { goToChange } from '../shell/inspector/use-change-keys.ts';
import { useNavigation } from '../state/navigation.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';

const words = texts.events;

export function EventTable({ events, withObject }: { readonly events: readonly EventRow[]; readonly withObject?: boolean }) {
  const resources = useResources((state) => state.resources);
  const when = useWhen();
  const select = useNavigation((state) => state.select);
  return (
    <table className="table">
      <thead>
        <tr>
          <th>{words.time}</th>
          <th>{words.reason}</th>
          {withObject ? <th>{words.object}</th> : null}
          <th>{words.message}</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => {
          const id = rowIdOfKind(resources, event.apiVersion, event.kind, event.namespace, event.name);
          return (
            <tr key={event.id}>
              <td className="tight">
                {id && event.revision > 0 ? (
                  <button type="button" className="behind" title={texts.changes.behindTitle} onClick={() => goToChange(id, event.revision)}>
                    {when(event.ms)}
                  </button>
                ) : (
                  when(event.ms)
                )}
              </td>
              <td className={`tight ${event.level === 'Warning' ? 'warn' : ''}`}>
                {event.level === 'Warning' ? (
                  <TriangleAlert size={12} aria-label={words.warning} style={{ verticalAlign: -2, marginRight: 4 }} />
                ) : null}
                {shorten(event.reason, 120)}
                {event.count > 1 ? <span className="muted">{words.times(event.count)}</span> : null}
              </td>
              {withObject ? (
                <td>
                  {event.namespace ? <span className="muted">{`${shorten(event.namespace, 63)} `}</span> : null}
                  {id ? (
                    <button type="button" className="link mono" title={shorten(event.name, 300)} onClick={() => select(id)}>
                      {`${shorten(event.kind, 63).toLowerCase()}/${shorten(event.name, 120)}`}
                    </button>
                  ) : (
                    `${shorten(event.kind, 63)}/${shorten(event.name, 120)}`
                  )}
                </td>
              ) : null}
              <td>{shorten(event.message, 600)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
