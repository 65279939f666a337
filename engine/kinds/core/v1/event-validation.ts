/** What an event may say, and what of it may change. Mirrors pkg/apis/core/validation/events.go; core/v1 is served as it was before events.k8s.io. */
import { internalValue } from '../../../apimachinery/internal-value.ts';
import type { Event } from '../../../api/core/v1/types.gen.ts';
import { type FieldError, type FieldErrorList, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import {
  isDNS1123Subdomain,
  validateImmutableField,
  validateLabelName,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateStandardFinalizers,
} from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { metadataPath } from '../../shared/strategy.ts';

type Context = Pick<StrategyContext, 'apiVersion'>;

const shortMax = 128;
const noteMax = 1024;

export function validateEvent(event: Event, context: Context): FieldErrorList {
  const faults = lasting(event, context);
  if (context.apiVersion !== 'events.k8s.io/v1') return faults;
  const { eventTime, type = '', firstTimestamp, lastTimestamp, count = 0, source } = event;
  const unset = (name: string, isSet: boolean): readonly FieldError[] => (isSet ? [invalid(root(name), '', 'needs to be unset')] : []);
  return [
    ...faults,
    ...validateObjectMeta(event.metadata, true, 'dns1123subdomain', metadataPath),
    ...validateStandardFinalizers(event.metadata.finalizers, metadataPath.child('finalizers')),
    ...seriesFaults(event),
    ...(eventTime ? [] : [required(root('eventTime'))]),
    ...(type === 'Normal' || type === 'Warning' ? [] : [invalid(root('type'), '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', Boolean(firstTimestamp)),
    ...unset('lastTimestamp', Boolean(lastTimestamp)),
    ...unset('count', count !== 0),
    ...unset('source', Boolean(source?.component) || Boolean(source?.host)),
  ];
}

/** In upstream's order; a reason is told of twice. */
const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
] as const;

export function validateEventUpdate(next: Event, old: Event, context: Context): FieldErrorList {
  const faults = lasting(next, context);
  if (context.apiVersion !== 'events.k8s.io/v1') return faults;
  return [
    ...faults,
    ...validateObjectMetaUpdate(next.metadata, old.metadata, metadataPath),
    ...validateStandardFinalizers(next.metadata.finalizers, metadataPath.child('finalizers')),
    ...(semanticEqual(next.series, old.series) ? [] : seriesFaults(next)),
    ...fixed.flatMap((name) => validateImmutableField(shown(name, next), shown(name, old), root(name))),
    ...validateImmutableField(next.reportingComponent ?? '', old.reportingComponent ?? '', root('reportingController')),
    ...validateImmutableField(next.reportingInstance ?? '', old.reportingInstance ?? '', root('reportingInstance')),
  ];
}

const texts: ReadonlySet<string> = new Set(['reason', 'message', 'type', 'action']);

/** As upstream shows what nothing is said of. */
const nothing = internalValue('core.v1.ObjectReference', {});

function isHollow(reference: object): boolean {
  return Object.keys(reference).length === 0;
}

/** Texts and numbers that are not there are empty for upstream. */
function shown(name: (typeof fixed)[number], event: Event): unknown {
  if (name === 'count') return event.count ?? 0;
  if (name === 'involvedObject' && isHollow(event.involvedObject ?? {})) return nothing;
  // A reference may be absent, and is not when it says nothing.
  if (name === 'related' && event.related && isHollow(event.related)) return nothing;
  return event[name] ?? (texts.has(name) ? '' : undefined);
}

function seriesFaults({ series }: Event): FieldErrorList {
  if (series === undefined || series === null) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid(root('series.count'), '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required(root('series.lastObservedTime'))]),
  ];
}

/** Of every version. */
function lasting(event: Event, context: Context): FieldErrorList {
  const { involvedObject, metadata, eventTime } = event;
  const about = involvedObject?.namespace ?? '';
  const namespace = metadata.namespace ?? '';
  const out: FieldError[] = [];
  const without = eventTime ? ['default', 'kube-system'] : ['', 'default'];
  const isElsewhere = about === '' ? !without.includes(namespace) : !eventTime && about !== namespace;
  if (isElsewhere) out.push(invalid(root('involvedObject', 'namespace'), about, 'does not match event.namespace'));
  if (eventTime) out.push(...newerFaults(event, context.apiVersion === 'v1' ? 'reportingComponent' : 'reportingController'));
  for (const fault of isDNS1123Subdomain(namespace)) out.push(invalid(root('namespace'), namespace, fault));
  return out;
}

function newerFaults(
  { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' }: Event,
  reporter: string,
): FieldErrorList {
  const limited = (name: string, value: string, max: number, isRequired: boolean): readonly FieldError[] => [
    ...(isRequired && value === '' ? [required(root(name))] : []),
    ...(value.length > max ? [invalid(root(name), '', `can have at most ${max} characters`)] : []),
  ];
  return [
    ...(reportingComponent === '' ? [required(root(reporter))] : []),
    ...validateLabelName(reportingComponent, root(reporter)),
    ...limited('reportingInstance', reportingInstance, shortMax, true),
    ...limited('action', action, shortMax, true),
    ...limited('reason', reason, shortMax, true),
    ...limited('message', message, noteMax, false),
  ];
}
