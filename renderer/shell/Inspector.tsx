/** The selected object: a summary a person would write, then conditions, YAML, Events and the causes of its last change. */
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useObject } from '../api/objects.ts';
import { useNavigation } from '../state/navigation.ts';
import { summarize } from './inspector/summarize.ts';
import { DecisionTab } from './inspector/DecisionTab.tsx';
import { EventsTab } from './inspector/EventsTab.tsx';
import { OverviewTab } from './inspector/OverviewTab.tsx';
import { WhyTab } from './inspector/WhyTab.tsx';
import { YamlTab } from './inspector/YamlTab.tsx';

const tabNames = ['Overview', 'Why', 'Events', 'YAML', 'Decision'] as const;
type TabName = (typeof tabNames)[number];

export function Inspector({ id }: { readonly id: string }) {
  const live = useObject(id);
  const { object, name, resource, synced } = live;
  const go = useNavigation((state) => state.go);
  const [tab, setTab] = useState<TabName>('Overview');
  const shown = tabNames.filter((one) => one !== 'Decision' || name.resource === 'pods');
  useEffect(() => {
    if (!shown.includes(tab)) setTab('Overview');
  }, [id]);
  return (
    <aside className="inspector" aria-label="Inspector">
      <div className="inspector-head">
        <span className="muted dense">
          {resource?.kind ?? name.resource}
          {name.namespace ? ` in ${name.namespace}` : ''}
        </span>
        <button
          type="button"
          className="button icon quiet"
          style={{ gridRow: '1 / 3', gridColumn: 2 }}
          onClick={() => go({ selected: '' })}
          aria-label="Close the inspector"
        >
          <X size={15} aria-hidden />
        </button>
        <code>{name.name}</code>
      </div>
      <p className="summary">{object ? summarize(object) : synced ? 'It does not exist now. Its history is still on the timeline.' : ' '}</p>
      <div className="tabs" role="tablist" aria-label="About the object">
        {shown.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={tab === one}
            aria-controls="inspector-panel"
            tabIndex={tab === one ? 0 : -1}
            onClick={() => setTab(one)}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
              const next = step === 0 ? undefined : shown[(shown.indexOf(one) + step + shown.length) % shown.length];
              if (next) {
                event.preventDefault();
                setTab(next);
                document.getElementById(`tab-${next}`)?.focus();
              }
            }}
          >
            {one}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id="inspector-panel" tabIndex={0} aria-labelledby={`tab-${tab}`}>
        {tab === 'Overview' ? (
          <OverviewTab id={id} object={object} />
        ) : tab === 'Why' ? (
          <WhyTab id={id} revision={object?.metadata.resourceVersion ?? ''} />
        ) : tab === 'Events' ? (
          <EventsTab name={name} kind={resource?.kind ?? ''} />
        ) : tab === 'YAML' ? (
          <YamlTab object={object} />
        ) : (
          <DecisionTab name={name} revision={object?.metadata.resourceVersion ?? ''} />
        )}
      </div>
    </aside>
  );
}
