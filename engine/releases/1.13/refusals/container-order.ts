/**
 * The order in which release 1.13 told the faults of a pod's spec: handlers and probes of a container before all that follows its image, and what it
 * had looked at alone (names of variables, ports of hosts, init containers' names) where it did. Mirrors ValidatePodSpec of its pkg/apis/core/validation.
 */
import { isList, isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { type Fault, isSame } from './faults.ts';

/** Fields of a pod's spec in the order in which it went through them; what is none of them stays at the end. */
const sections = [
  'volumes', 'containers', 'initContainers', 'restartPolicy', 'dnsPolicy', 'nodeSelector', 'securityContext', 'imagePullSecrets', 'affinity',
  'dnsConfig', 'readinessGates', 'serviceAccountName', 'nodeName', 'activeDeadlineSeconds', 'hostname', 'subdomain', 'tolerations', 'hostAliases',
  'priorityClassName', 'runtimeClassName',
] as const; // biome-ignore format: a list
const members = [
  'name', 'image', 'lifecycle', 'livenessProbe', 'terminationMessagePolicy', 'readinessProbe', 'ports', 'env', 'envFrom', 'volumeMounts',
  'volumeDevices', 'imagePullPolicy', 'resources', 'securityContext',
] as const; // biome-ignore format: a list
const ofPodSpec = new RegExp(String.raw`^(.*?\bspec)\.(${sections.join('|')})\b(?:\[(\d+)\])?(?:\.(\w+)(?:\[(\d+)\])?)?`, 's');

/** Sorts by each number in turn. */
export type Place = readonly number[];

/** `sent`: what was asked for, as far as it is whole. */
export function inOrderOfContainers(faults: readonly Fault[], sent?: JsonObject): readonly Fault[] {
  const looked = roundsOf(faults, sent).flatMap((round) => prefixesFirst(round, sent));
  return runsOf(looked).flatMap((run) => (run.length === 1 ? run : run.toSorted((a, b) => compared(placeOf(a), placeOf(b)))));
}

/** What is judged twice is told twice: each time is a round of its own. Of a list of sources one thing may be told item by item. */
function roundsOf(faults: readonly Fault[], sent: JsonObject | undefined): readonly (readonly Fault[])[] {
  const rounds: Fault[][] = [[]];
  let told = new Map<string, number>();
  for (const fault of faults) {
    const said = `${fault.field}: ${fault.text}`;
    const most = fault.field.endsWith('.envFrom') ? Math.max(1, unclearItems(sent, fault.field)) : 1;
    if ((told.get(said) ?? 0) >= most) {
      rounds.push([]);
      told = new Map();
    }
    told.set(said, (told.get(said) ?? 0) + 1);
    rounds.at(-1)?.push(fault);
  }
  return rounds;
}

/** The prefix of variables was looked at before where they come from; of an item without one source it was told of the list. */
function prefixesFirst(faults: readonly Fault[], sent: JsonObject | undefined): readonly Fault[] {
  const out: Fault[] = [];
  for (const fault of faults) {
    const [, list, index] = /^(.*\.envFrom)\[(\d+)\]\.prefix$/.exec(fault.field) ?? [];
    let before = list === undefined ? 0 : unclearItems(sent, list, Number(index));
    const isLater = ({ field }: Fault): boolean => (field === list ? --before < 0 : (placeIn(list ?? '', field) ?? -1) >= Number(index));
    const later = list === undefined ? -1 : out.findIndex(isLater);
    if (later < 0) out.push(fault);
    else out.splice(later, 0, fault);
  }
  return out;
}

/** How many of the first `count` items name no source, or two. */
function unclearItems(sent: JsonObject | undefined, list: string, count?: number): number {
  const keys = list.split('.').flatMap((key) => key.replaceAll(']', '').split('['));
  const items = keys.reduce<JsonValue | undefined>((each, key) => (isList(each) ? each[Number(key)] : isObject(each) ? each[key] : undefined), sent);
  if (!isList(items)) return 0;
  const isClear = (item: JsonValue): boolean => isObject(item) && isObject(item['configMapRef']) !== isObject(item['secretRef']);
  return items.slice(0, count).filter((item) => !isClear(item)).length;
}

function placeIn(list: string, field: string): number | undefined {
  const place = field.startsWith(`${list}[`) ? /^\d+/.exec(field.slice(list.length + 1)) : null;
  return place === null ? undefined : Number(place[0]);
}

/** Faults of one pod's spec that stand together. What is judged twice is told twice, and each time is a run of its own. */
function runsOf(faults: readonly Fault[]): readonly (readonly Fault[])[] {
  const runs: Fault[][] = [];
  let owner: string | undefined;
  for (const fault of faults) {
    const own = ofPodSpec.exec(fault.field)?.[1];
    const run = runs.at(-1);
    const begins = run?.[0];
    if (run === undefined || begins === undefined || own === undefined || own !== owner || run.some((one) => isSame(one, fault))) runs.push([fault]);
    else run.push(fault);
    owner = own;
  }
  return runs;
}

const [containers, initContainers] = [sections.indexOf('containers'), sections.indexOf('initContainers')];
/** No pod has so many containers. */
const behindAll = 1e9;
const ofNetwork = sections.indexOf('securityContext');

function placeOf({ field, text }: Fault): Place {
  const [, , name = '', index = '0', member = '', item = '0'] = ofPodSpec.exec(field) ?? [];
  const section = (sections as readonly string[]).indexOf(name);
  // That there are more or fewer of them was found when it came to what had changed.
  if (text.endsWith(' add or remove containers')) return [sections.length];
  // Pods that go on for ever were asked for by their owners, after all else.
  if (text.endsWith(' when serviceAccountName is not set')) return [sections.length];
  // And before that, whether their disks are to be shared.
  if (text.includes(': must be true for replicated pods > 1; ')) return [sections.length - 0.5];
  if ((name === 'restartPolicy' && !text.endsWith('"Always", "OnFailure", "Never"')) || text.endsWith(': must not be specified'))
    return [sections.length];
  if (section !== containers && section !== initContainers) return [section, name === 'securityContext' ? 1 : 0];
  if (text.endsWith(' when `hostNetwork` is true')) return [ofNetwork];
  // Behind all containers it looked for ports of the host that are taken, and then at what init containers may not have.
  if (field.endsWith('.hostPort') && text.startsWith('Duplicate value: ')) return [section, behindAll];
  const isOfInit = text.endsWith(': must not be set for init containers') || (member === 'name' && text.startsWith('Duplicate value: '));
  if (section === initContainers && isOfInit) return [section, behindAll, Number(index) + 1];
  const rank = (members as readonly string[]).indexOf(member);
  const isName = member === 'env' && field.endsWith('].name');
  return [section, Number(index), rank < 0 ? members.length : rank, ...(member === 'env' ? [Number(item), isName ? 0 : 1] : [])];
}

/** A name that an earlier init container of the list has was told where the list was gone through, too. */
export function withRepeatedNames(faults: readonly Fault[], sent: JsonObject | undefined): readonly Fault[] {
  const out: Fault[] = [];
  const placed = new Set<Fault>();
  for (const fault of faults) {
    const [, owner = '', index = ''] = /^(.*?\bspec)\.initContainers\[(\d+)\]\.name$/.exec(fault.field) ?? [];
    const repeats = index !== '' && isRepeated(sent, owner, Number(index));
    // Where none has a name it was told there alone.
    if (repeats && fault.text === 'Required value') {
      out.push(fault, { field: fault.field, text: 'Duplicate value: ""', reason: 'FieldValueDuplicate' });
      continue;
    }
    if (repeats && fault.text.startsWith('Duplicate value: ')) {
      const isBefore = (other: Fault): boolean => placed.has(other) || compared(placeOf(other), [initContainers, Number(index), 1]) < 0;
      const run = out.findLastIndex((other) => ofPodSpec.exec(other.field)?.[1] !== owner) + 1;
      const later = out.findIndex((other, at) => at >= run && !isBefore(other));
      const early = { ...fault };
      placed.add(early);
      out.splice(later < 0 ? out.length : later, 0, early);
    }
    out.push(fault);
  }
  return out;
}

function isRepeated(sent: JsonObject | undefined, owner: string, index: number): boolean {
  const spec = owner.split('.').reduce<JsonValue | undefined>((each, key) => (isObject(each) ? each[key] : undefined), sent);
  const list = isObject(spec) && isList(spec['initContainers']) ? spec['initContainers'] : [];
  const nameOf = (container: JsonValue | undefined): JsonValue | undefined => (isObject(container) ? (container['name'] ?? '') : undefined);
  return list.slice(0, index).some((container) => nameOf(container) === nameOf(list[index]));
}

export function compared(a: Place, b: Place): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return (a[i] as number) < (b[i] as number) ? -1 : 1;
  return 0;
}
