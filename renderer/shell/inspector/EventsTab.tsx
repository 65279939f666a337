/** Events about the object. */
import { useMemo } from 'react';
import type { RowName } from '../../api/resources.ts';
import { useCollection } from '../../api/watches.ts';
import { Empty } from '../../components/Empty.tsx';
import { EventTable } from '../../components/EventTable.tsx';
import { NotRead } from '../../components/NotRead.tsx';
import { fieldSelector } from '../../lib/field-selector.ts';
import { texts } from '../../texts/texts.ts';

const shownMax = 200;

export function EventsTab({ name, kind }: { readonly name: RowName; readonly kind: string }) {
  const selector = fieldSelector({ 'involvedObject.name': name.name, 'involvedObject.kind': kind });
  const { rows, version, synced } = useCollection(
    kind ? `/api/v1/namespaces/${name.namespace || 'default'}/events?newest=${shownMax}&fieldSelector=${encodeURIComponent(selector)}` : undefined,
    'event',
  );
  const events = useMemo(() => [...rows.values()].sort((a, b) => b.ms - a.ms), [rows, version]);
  if (synced && events.length === 0) return <Empty title={texts.events.noneAbout}>{texts.events.noneAboutText}</Empty>;
  if (!synced && events.length === 0) return <NotRead />;
  return <EventTable events={events} />;
}
