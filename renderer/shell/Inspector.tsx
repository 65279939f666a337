/** The selected object: a summary a person would write, then conditions, YAML, Events and the causes of its last change. */
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ActTarget } from '../acts/act.ts';
import { ActBar } from '../acts/ActBar.tsx';
import { useLostNodes } from '../api/lost-nodes.ts';
import { useObject } from '../api/objects.ts';
import { tabs } from '../state/address.ts';
import { useNavigation } from '../state/navigation.ts';
import { besideTab } from '../lib/beside-tab.ts';
import { later } from '../lib/later.tsx';
import { shorten } from '../lib/shorten.ts';
import { texts } from '../texts/texts.ts';
import { Coming } from './Coming.tsx';
import { NowBadge } from './OfNow.tsx';
import { summarize } from './inspector/summarize.ts';
import { ChangeTab } from './inspector/ChangeTab.tsx';
import { DecisionTab } from './inspector/DecisionTab.tsx';
import { EventsTab } from './inspector/EventsTab.tsx';
import { OverviewTab } from './inspector/OverviewTab.tsx';
import { WhyTab } from './inspector/WhyTab.tsx';

const words = texts.frame.inspector;
/** What reads YAML is fetched once an object is looked at and the page rests. */
const YamlTab = later(() => import('./inspector/YamlTab.tsx').then((module) => module.YamlTab), Coming);

export function Inspector({ id }: { readonly id: string }) {
  const live = useObject(id);
  const { object, name, resource, synced } = live;
  useEffect(() => {
    // What does not come is asked for again, and told, where it is opened.
    const waiting = requestIdleCallback(() => void YamlTab.fetch().catch(() => undefined));
    return () => cancelIdleCallback(waiting);
  }, []);
  const lost = useLostNodes();
  const targets: readonly ActTarget[] = resource && object ? [{ id, resource, namespace: name.namespace, name: name.name, object }] : [];
  // What stands below is where the pointer is: it stays there when the object goes.
  const was = useRef(targets);
  const summary = useRef<HTMLParagraphElement>(null);
  const summaryHeight = useRef(0);
  if (targets.length > 0) {
    was.current = targets;
    summaryHeight.current = 0;
  } else if (was.current.length > 0 && summaryHeight.current === 0) summaryHeight.current = summary.current?.getBoundingClientRect().height ?? 0;
  const { go, tab: asked, revision } = useNavigation();
  const shown = tabs.filter((one) => (one !== 'decision' || name.resource === 'pods') && (one !== 'change' || revision !== undefined));
  const tab = shown.includes(asked) ? asked : 'overview';
  return (
    <aside className="inspector" aria-label={words.label}>
      <div className="inspector-head">
        <span className="muted dense">
          {resource?.kind ?? name.resource}
          {name.namespace ? words.inNamespace(name.namespace) : ''}
        </span>
        <button
          type="button"
          className="button icon quiet"
          style={{ gridRow: '1 / 3', gridColumn: 2 }}
          onClick={() => go({ selected: '' })}
          aria-label={words.close}
        >
          <X size={15} aria-hidden />
        </button>
        <code>{shorten(name.name, 300)}</code>
      </div>
      <div className="tabs" role="tablist" aria-label={words.about}>
        {shown.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={tab === one}
            aria-controls="inspector-panel"
            tabIndex={tab === one ? 0 : -1}
            onClick={() => go(one === 'change' || one === 'why' ? { tab: one } : { tab: one, revision: undefined })}
            onKeyDown={(event) => {
              const next = besideTab(event.key, shown, one);
              if (next) {
                event.preventDefault();
                go({ tab: next });
                document.getElementById(`tab-${next}`)?.focus();
              }
            }}
          >
            {words.tabs[one]}
          </button>
        ))}
      </div>
      {/* Below the tabs: what is told of an object comes later than they do, and must not move them from under the pointer. */}
      <p className="summary" ref={summary} style={summaryHeight.current > 0 ? { minHeight: summaryHeight.current } : undefined}>
        {object ? <NowBadge /> : null} {object ? shorten(summarize(object, lost), 1000) : synced ? words.gone : ' '}
      </p>
      {resource ? <ActBar key={id} targets={targets} gone={was.current} /> : null}
      <div className="tab-panel" role="tabpanel" id="inspector-panel" tabIndex={0} aria-labelledby={`tab-${tab}`}>
        {tab === 'overview' ? (
          <OverviewTab id={id} object={object} />
        ) : tab === 'change' ? (
          revision === undefined ? null : (
            <ChangeTab key={revision} revision={revision} />
          )
        ) : tab === 'why' ? (
          <WhyTab id={id} revision={object?.metadata.resourceVersion ?? ''} change={revision} />
        ) : tab === 'events' ? (
          <EventsTab name={name} kind={resource?.kind ?? ''} />
        ) : tab === 'yaml' ? (
          <YamlTab key={id} object={object} target={resource && { id, resource, namespace: name.namespace, name: name.name, object }} />
        ) : (
          <DecisionTab name={name} revision={object?.metadata.resourceVersion ?? ''} />
        )}
      </div>
    </aside>
  );
}
