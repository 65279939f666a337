/** What several faults of an object say together in release 1.13, by its kind: what is told once, what stays away, and in which order. */
import type { RefusedRequest } from '../../../contracts/release.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { type Fault, isSame, subdomainForm } from './faults.ts';
import { withSentSelector } from './selectors.ts';
import { isTakenAway } from './sent-values.ts';
import { isAbsent, parsed } from './sent-body.ts';
import { driverForm } from './unjudged.ts';

/** Of versions that judge new attachments once more. */
const strictAttachments = /^\/apis\/storage\.k8s\.io\/v1(?:alpha1)?\//;

/** What several faults of an object say together. */
export function together(kind: string, faults: readonly Fault[], { method, path, body }: RefusedRequest): readonly Fault[] {
  const isDriverless = kind === 'VolumeAttachment' && method === 'POST' && strictAttachments.test(path);
  const first = faults.find(({ field, text }) => field === 'spec.attacher' && text === 'Required value');
  // The version looked at its driver once more.
  if (isDriverless && first !== undefined)
    return [...faults, first, { field: 'spec.attacher', text: `Invalid value: "": ${driverForm}`, reason: 'FieldValueInvalid' }];
  if (kind === 'VolumeAttachment') return ofSource(faults, method === 'POST' && strictAttachments.test(path));
  if (kind === 'PersistentVolume') return faults.filter((fault, index) => !isSameCapacity(fault, faults[index - 1]));
  if (kind === 'PersistentVolumeClaim') return ofClaim(faults, method);
  if (kind === 'Node') return withOtherChanges(faults);
  if (kind === 'ControllerRevision') return dataFirst(faults);
  if (kind === 'StatefulSet' && method !== 'POST') return withSentSelector(kind, withReplicasAgain(faults), { method, path }, parsed(body()));
  if (kind === 'CronJob') return ttlFirst(faults);
  if (kind === 'Job') return generatedOnce(faults);
  if (kind === 'NetworkPolicy') return withoutLaterExcepts(faults);
  if (kind === 'Service') {
    const told = method === 'POST' ? faults : withLockedAddress(faults);
    return told.length > 1 ? told.filter(({ text }) => !onlyOutside.some((end) => text.endsWith(end))) : told;
  }
  if (kind === 'HorizontalPodAutoscaler') {
    const sent = parsed(body());
    const keepsLeast = method === 'PATCH' ? !takesLeast(sent) : hasLeast(sent);
    return sourcesLast(keepsLeast || !path.startsWith('/apis/autoscaling/v2beta2/') ? faults : withoutLeast(faults));
  }
  if (kind === 'Ingress') return withoutIdlePorts(faults);
  return withSentSelector(kind, beforeTemplate(kind, faults), { method, path }, parsed(body()));
}

/** A change of a StatefulSet asked once more for how many pods. */
function withReplicasAgain(faults: readonly Fault[]): readonly Fault[] {
  return [...faults, ...faults.filter(({ field }) => field === 'spec.replicas')];
}

function dataFirst(faults: readonly Fault[]): readonly Fault[] {
  const place = faults.findIndex(({ field }) => field === 'revision');
  const data = faults.filter(({ field, text }) => field === 'data' && text.startsWith('Required value'));
  return place < 0 || data.length === 0 ? faults : faults.filter((fault) => !data.includes(fault)).toSpliced(place, 0, ...data);
}

const nodeChanges = 'node updates may only change labels, taints, or capacity (or configSource, if the DynamicKubeletConfig feature gate is enabled)';

/** Whatever else of a node was changed was told once, of no field, and also of what had a fault of its own. */
function withOtherChanges(faults: readonly Fault[]): readonly Fault[] {
  const isNamed = ({ text }: Fault): boolean => text.startsWith('Forbidden: node updates may not change ');
  const isOther = ({ text }: Fault): boolean => text === 'Forbidden: may not be updated';
  if (!faults.some((fault) => isNamed(fault) || isOther(fault))) return faults;
  const told = faults.filter((fault) => !isOther(fault));
  return [...told, { field: '[]', text: `Forbidden: ${nodeChanges}`, reason: 'FieldValueForbidden' }];
}

/** An address that is none is another one than before. */
function withLockedAddress(faults: readonly Fault[]): readonly Fault[] {
  const isLocked = faults.some(({ field, text }) => field === 'spec.clusterIP' && text.endsWith(': field is immutable'));
  const odd = faults.find(({ field, text }) => field === 'spec.clusterIP' && text.endsWith(": must be empty, 'None', or a valid IP address"));
  if (isLocked || odd === undefined) return faults;
  const place = faults.findIndex(({ field }) => !field.startsWith('metadata'));
  return faults.toSpliced(place, 0, { ...odd, text: odd.text.replace(/: must be empty, 'None', or a valid IP address$/, ': field is immutable') });
}

const volumeField = 'spec.source.persistentVolumeName';

/** No name is no source; `isJudgedTwice`: it was looked at once more, as the name that it is not. */
function ofSource(faults: readonly Fault[], isJudgedTwice: boolean): readonly Fault[] {
  const isOfName = ({ field, text }: Fault): boolean => field === volumeField && text.startsWith('Required value');
  const told = faults.map((fault) => (isOfName(fault) ? { ...fault, field: 'spec.source', text: 'Required value' } : fault));
  if (!isJudgedTwice || !faults.some(isOfName) || told.some(({ field }) => field === volumeField)) return told;
  return [...told, { field: volumeField, text: `Invalid value: "": ${subdomainForm}`, reason: 'FieldValueInvalid' }];
}

/** A change of a claim was looked at as a new claim first, and once more as one; what it is filled from, no further than to its gate. */
function ofClaim(faults: readonly Fault[], method: string): readonly Fault[] {
  const gated = faults.filter(isOfSource);
  const told = faults.filter(({ field }) => gated.length === 0 || field !== 'spec.dataSource.name');
  const others = lockedLast(told.filter((fault) => !isOfSource(fault)));
  if (method === 'POST') return [...others, ...gated];
  const judged = others.filter((fault) => !isChange(fault) && !fault.field.startsWith('metadata'));
  if (judged.length % 2 !== 0 || gated.length % 2 !== 0) return [...gated, ...others];
  const metadata = others.filter((fault) => !isChange(fault) && fault.field.startsWith('metadata'));
  const halves = [judged, gated].map((all) => [all.slice(0, all.length / 2), all.slice(all.length / 2)] as const);
  const seam = judged.length + gated.length === 0 ? metadata.length : againFrom(metadata);
  return [
    ...[metadata.slice(0, seam), ...halves.map(([first]) => first), metadata.slice(seam), ...halves.map(([, second]) => second)].flat(),
    ...others.filter((fault) => !judged.includes(fault) && !metadata.includes(fault)),
  ];
}

/** Metadata was looked at three times before the claim was judged, and twice before it was judged again; finalizers as often before both. */
function againFrom(metadata: readonly Fault[]): number {
  const first = metadata.find(({ field }) => !field.startsWith('metadata.finalizers'));
  if (first === undefined) return metadata.length / 2;
  const places = metadata.flatMap((fault, index) => (isSame(fault, first) ? [index] : []));
  return places[3] ?? metadata.length;
}

function isChange({ text }: Fault): boolean {
  return /: field is immutable$|^Forbidden: (?:is immutable|field can not be less) /.test(text);
}

/** That a claim stays as it is was told behind each of its modes. */
function lockedLast(faults: readonly Fault[]): readonly Fault[] {
  const isLocked = ({ field, text }: Fault): boolean => field === 'spec' && text.startsWith('Forbidden: is immutable after creation');
  const end = faults.findLastIndex(({ field }) => field === 'spec.accessModes') + 1;
  const modes = faults.slice(0, end);
  return [...modes.filter((fault) => !isLocked(fault)), ...modes.filter(isLocked), ...faults.slice(end)];
}

/** Where it could make nothing of the selector it did not look at the template. */
function beforeTemplate(kind: string, faults: readonly Fault[]): readonly Fault[] {
  const isBroken = faults.some(({ field, text }) => field === 'spec.selector' && text.includes('invalid label selector'));
  return isBroken && (kind === 'ReplicaSet' || kind === 'Deployment') ? faults.filter(({ field }) => !field.startsWith('spec.template.')) : faults;
}

/** That a template may say nothing of when it is forgotten was told before what is wrong with its pods, and nothing else of it. */
function ttlFirst(faults: readonly Fault[]): readonly Fault[] {
  const isTtl = ({ field }: Fault): boolean => field.endsWith('.ttlSecondsAfterFinished');
  const gated = faults.filter((fault) => isTtl(fault) && fault.text.startsWith('Forbidden: '));
  if (gated.length === 0) return faults;
  const others = faults.filter((fault) => !isTtl(fault));
  const place = others.findIndex(({ field }) => /^spec\.jobTemplate\.spec\.(?:selector|template|manualSelector)\b/.test(field));
  return place < 0 ? [...others, ...gated] : others.toSpliced(place, 0, ...gated);
}

/** What a Job's selector makes of its template was looked at once, where the object was judged as a new one. */
function generatedOnce(faults: readonly Fault[]): readonly Fault[] {
  const isGenerated = ({ field, text }: Fault): boolean =>
    field.startsWith('spec.template.metadata.labels[') && text.startsWith('Required value: must be ');
  return faults.filter((fault, index) => !isGenerated(fault) || faults.findIndex((other) => isSame(fault, other)) === index);
}

function isOfSource({ field, text }: Fault): boolean {
  return field === 'spec.dataSource' && text.endsWith('is disabled by feature-gate');
}

/** Of a block's exceptions nothing was looked at behind the first that is no range. */
function withoutLaterExcepts(faults: readonly Fault[]): readonly Fault[] {
  let [last, from] = ['', 0];
  return faults.filter(({ field, text }) => {
    const [, block = '', index = ''] = /^(.*\.ipBlock)\.except\[(\d+)\]$/.exec(field) ?? [];
    if (block === '') return true;
    if (block === last && Number(index) > from) return false;
    last = text.endsWith(': not a valid CIDR') ? block : '';
    from = Number(index);
    return true;
  });
}

/** What is said of a volume without a capacity is said once each time that it is judged. */
function isSameCapacity(fault: Fault, before: Fault | undefined): boolean {
  return fault.field === 'spec.capacity' && fault.text.includes(' core.ResourceList(nil)') && isSame(fault, before);
}

/** How traffic from outside is led was looked at when nothing else was wrong. */
const onlyOutside = [
  ': ExternalTrafficPolicy can only be set on NodePort and LoadBalancer service',
  ': HealthCheckNodePort can only be set on LoadBalancer service with ExternalTrafficPolicy=Local',
];

/** Whether a patch takes away the least, which the last version did not fill in again; what was stored had it. */
function takesLeast(patch: JsonObject | undefined): boolean {
  return isTakenAway(patch, ['spec', 'minReplicas']) || isTakenAway(patch, ['spec']);
}

function hasLeast(object: JsonObject | undefined): boolean {
  return object === undefined || (isObject(object['spec']) && !isAbsent(object['spec']['minReplicas']));
}

function withoutLeast(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter(({ field, text }) => field !== 'spec.maxReplicas' || !text.endsWith(': must be greater than or equal to `minReplicas`'));
}

/** Whether a metric has the source that it names was looked at behind what it has. */
function sourcesLast(faults: readonly Fault[]): readonly Fault[] {
  const metrics = Map.groupBy(faults, ({ field }) => /^spec\.metrics\[\d+\]/.exec(field)?.[0] ?? '');
  const isLate = ({ text }: Fault): boolean => text === 'Required value: must populate information for the given metric source';
  const told = new Set<string>();
  return faults.flatMap((fault) => {
    const metric = /^spec\.metrics\[\d+\]/.exec(fault.field)?.[0];
    if (metric === undefined) return [fault];
    if (told.has(metric)) return [];
    told.add(metric);
    const all = metrics.get(metric) ?? [];
    const first = all.filter((one) => !isLate(one) && !isOfAnother(one));
    return [...withoutSame(first), ...withoutSame(all.filter(isLate)).map(ofNoName), ...all.filter(isOfAnother)];
  });
}

/** What a metric's type is not is said twice now. */
function withoutSame(faults: readonly Fault[]): readonly Fault[] {
  return faults.filter((fault, index) => faults.findIndex((other) => isSame(fault, other)) === index);
}

/** A source without a name stands in brackets. */
function ofNoName(fault: Fault): Fault {
  return { ...fault, field: fault.field.replace(/\.$/, '[]') };
}

/** That a metric has a source too many was looked at last. */
function isOfAnother({ text }: Fault): boolean {
  return text.endsWith('must populate the given metric source only');
}

/** Of a backend that names no service the port was not looked at. */
function withoutIdlePorts(faults: readonly Fault[]): readonly Fault[] {
  let nameless = '';
  return faults.filter(({ field, text }) => {
    const isPort = field.endsWith('ackend.servicePort');
    if (!isPort) nameless = field.endsWith('ackend.serviceName') && text === 'Required value' ? field.replace(/Name$/, 'Port') : '';
    return !isPort || field !== nameless;
  });
}
