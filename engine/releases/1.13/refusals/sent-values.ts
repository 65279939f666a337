/** Faults of release 1.13 that show what was sent as it was sent, and those that only a version or a verb had. */
import { formatQuantity, newMilliQuantity, parseQuantity, quantityMilliValue } from '../../../apimachinery/quantity.ts';
import { canonicalQuantity } from '../../../apimachinery/quantity-text.ts';
import { applyJsonPatch } from '../../../apimachinery/patch/json-patch.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { goSyntaxOf, goSyntaxOfQuantity, goSyntaxOfResource } from '../../../apimachinery/go-syntax.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { RefusedRequest } from '../../../contracts/release.ts';
import type { Fault } from './faults.ts';
import { internalTypes } from '../internal-types.gen.ts';
import { mismatch } from './selectors.ts';
import { isOnlyOfNew } from './unjudged.ts';

/** `body`: what was sent, where it is an object in JSON. */
export function asTheySent(kind: string, faults: readonly Fault[], { method }: RefusedRequest, body: JsonObject | undefined): readonly Fault[] {
  if (kind === 'VolumeAttachment') return attachment(faults);
  const isWhole = method === 'POST' || method === 'PUT';
  return faults.flatMap((fault) => {
    const sent = valueAt(body, fault.field);
    if (fault.text === 'Invalid value: 5: must not be specified' && typeof sent === 'number')
      return [{ ...fault, text: `Invalid value: ${sent}: must not be specified` }];
    // A patch could say more than its 32 bits hold.
    if (kind === 'HorizontalPodAutoscaler' && fault.field === 'spec.maxReplicas' && typeof sent === 'number')
      return [{ ...fault, text: fault.text.replace('Invalid value: 0: ', `Invalid value: ${sent | 0}: `) }];
    if (kind === 'StorageClass' && fault.field === 'provisioner' && typeof sent === 'string')
      return [{ ...fault, text: fault.text.replace(JSON.stringify(sent.toLowerCase()), JSON.stringify(sent)) }];
    if (fault.text.endsWith(mismatch) && (isObject(sent) || losesLabels(body, fault.field.split('.'))))
      return [{ ...fault, text: fault.text.replace('map[string]string(nil)', 'map[string]string{}') }];
    if (isWhole && fault.field === 'metadata' && sent !== undefined)
      return [showing(fault, /^(Invalid value: ).*(: must be empty.*)$/s, 'v1.ObjectMeta', sent)];
    const isSelector = fault.field === 'spec.jobTemplate.spec.selector' || (fault.field === 'spec.selector' && kind !== 'Job');
    if (isWhole && isSelector && sent === null && fault.text.endsWith(': field is immutable'))
      return [{ ...fault, text: 'Invalid value: "null": field is immutable' }];
    if ((isWhole || isList(body)) && isSelector && sent !== undefined)
      return [
        showing(
          fault,
          /^(Invalid value: )(?:\{|v1\.LabelSelector).*?((?:: (?:empty selector is invalid for .*|field is immutable|invalid label selector|`selector` will be auto-generated))?)$/s,
          'v1.LabelSelector',
          sent,
        ),
      ];
    if (isSelector) return [{ ...fault, text: withSentParts(fault.text, fault.field, body) }];
    if (fault.text.endsWith('}: cannot be 0') && typeof sent === 'string')
      return [{ ...fault, text: `Invalid value: ${goSyntaxOf(internalTypes, 'intstr.IntOrString', sent)}: cannot be 0` }];
    const toleration = /^(.*\btolerations\[\d+\])\.operator$/.exec(fault.field)?.[1];
    if (toleration !== undefined && fault.text.endsWith(": value must be empty when `operator` is 'Exists'"))
      return [showing(fault, /^(Invalid value: ).*(: value must be empty when .*)$/s, 'core.Toleration', valueAt(body, toleration) ?? null)];
    if (fault.field === 'spec.LoadBalancerSourceRanges' && fault.text.includes(': must be a list of IP ranges'))
      return withAllRanges(faults, fault, valueAt(body, 'spec.loadBalancerSourceRanges'));
    const port = /^(.*)\.hostPort$/.exec(fault.field)?.[1];
    if (port !== undefined && fault.text.endsWith('must match `containerPort` when `hostNetwork` is true')) {
      const field = `${port}.containerPort`;
      const shown = JSON.stringify(valueAt(body, field) ?? 0);
      return [{ ...fault, field, text: `Invalid value: ${shown}: must match \`hostPort\` when \`hostNetwork\` is true` }];
    }
    if (isWhole && kind === 'Ingress' && fault.text === noPort && hasEmptyPort(body, fault.field))
      return namelessPort.map((text) => ({ ...fault, text }));
    if (shownQuantity.test(fault.text) && !fault.text.includes('core.ResourceList')) return [withSentQuantity(kind, fault, body)];
    if (isWhole && isObject(sent) && fault.text.includes(' core.ResourceList{')) return [withSentAmounts(fault, sent)];
    // Of a list that is there it asked only whether it has storage.
    if (kind === 'PersistentVolume' && fault.text.startsWith('Unsupported value: core.ResourceList(nil)')) {
      // A patch that takes all of it away leaves a list.
      if (isBareMap(sent) || (!isWhole && (isObject(sent) || losesLabels(body, ['spec', 'capacity'])))) return [];
    }
    return [fault];
  });
}

const noPort = 'Invalid value: 0: must be between 1 and 65535, inclusive';
const namelessPort = [
  'Invalid value: "": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
  'Invalid value: "": must contain at least one letter or number (a-z, 0-9)',
];

/** A port that is an empty text was a name. Of a rule faults do not say which path has it: all that have none are to be so. */
function hasEmptyPort(body: JsonObject | undefined, field: string): boolean {
  const rule = /^(spec\.rules\[\d+\]\.http)\.backend\.servicePort$/.exec(field)?.[1];
  if (rule === undefined) return valueAt(body, field) === '';
  const paths = valueAt(body, `${rule}.paths`);
  const ports = isList(paths) ? paths.map((path) => inside(path, ['backend', 'servicePort']) ?? 0) : [];
  return ports.includes('') && !ports.includes(0);
}

/** Ranges were refused all together, once. */
function withAllRanges(faults: readonly Fault[], fault: Fault, ranges: JsonValue | undefined): readonly Fault[] {
  if (!isList(ranges)) return [fault];
  const isFirst = faults.find(({ field, text }) => field === fault.field && text.startsWith('Invalid value: ')) === fault;
  return isFirst ? [{ ...fault, text: fault.text.replace(/"\[[^\]]*\]"/, () => JSON.stringify(`[${ranges.join(' ')}]`)) }] : [];
}

const bareSelector = goSyntaxOf(internalTypes, 'v1.LabelSelector', {});
const emptySelector = goSyntaxOf(internalTypes, 'v1.LabelSelector', { matchLabels: {} });
const noSelector = /^(Invalid value: )\{\}(?=: )/;

/** Whether a patch says so of the path. */
export function isTakenAway(patch: JsonObject | undefined, path: readonly string[]): boolean {
  if (!isList(patch)) return path.reduce<JsonValue | undefined>((value, key) => (isObject(value) ? value[key] : undefined), patch) === null;
  return patch.some(
    (operation) => isObject(operation) && (operation['op'] === 'remove' || operation['value'] === null) && operation['path'] === `/${path.join('/')}`,
  );
}

const noLabels = /^(Invalid value: v1\.LabelSelector\{MatchLabels:map\[string\]string)\(nil\)/;
const takenAway = /^(Invalid value: )(?:\{\}|v1\.LabelSelector\{MatchLabels:map\[string\]string\{\}.*\})(?=: empty selector )/;
const shownExpressions = /MatchExpressions:\[\]v1\.LabelSelectorRequirement(?:\(nil\)|\{.*\})(?=\}(?:: |$))/;

/** A selector of which a patch says parts: labels that it takes away leave a map, if an empty one, and a list of nothing is one. */
function withSentParts(text: string, field: string, patch: JsonObject | undefined): string {
  const labels = [...field.split('.'), 'matchLabels'];
  const given = valueAt(patch, `${field}.matchExpressions`);
  const labelled = losesLabels(patch, labels)
    ? text.replace(noLabels, (_, start: string) => `${start}{}`)
    : isTakenAway(patch, labels)
      ? text.replace(takenAway, (_, start: string) => start + bareSelector)
      : text;
  if (!isList(given)) return labelled;
  const [shown = ''] = shownExpressions.exec(`${goSyntaxOf(internalTypes, 'v1.LabelSelector', { matchExpressions: given })}: `) ?? [];
  return labelled.replace(noSelector, (_, start: string) => start + emptySelector).replace(shownExpressions, () => shown);
}

/** Whether a patch takes labels from a map one by one: what is left is a map, if an empty one. */
function losesLabels(patch: JsonObject | undefined, place: readonly string[]): boolean {
  if (isList(patch)) {
    const labels = `/${place.join('/')}/`;
    const operations = patch.filter(isObject);
    const anew = operations.findLastIndex(({ op, path }) => op !== 'test' && labels.startsWith(`${String(path)}/`));
    const { op: how, path: base, value } = operations[anew] ?? {};
    // An empty map that somebody puts there is one too.
    if (
      (how === 'add' || how === 'replace') &&
      isObject(
        inside(
          value,
          labels
            .slice(String(base).length + 1, -1)
            .split('/')
            .filter((key) => key !== ''),
        ),
      )
    )
      return true;
    return operations.some(({ op, path }, index) => index > anew && op === 'remove' && String(path).startsWith(labels));
  }
  const labels = valueAt(patch, place.join('.'));
  return isObject(labels) && (labels['$patch'] !== undefined || Object.values(labels).includes(null));
}

/** Quantities keep the form in which they came, here and nowhere else. */
function withSentQuantity(kind: string, fault: Fault, body: JsonObject | undefined): Fault {
  const [shown = ''] = shownQuantity.exec(fault.text) ?? [];
  const sent = placesOfAmount(fault.field)
    .map((place) => valueAt(body, place))
    .find((value) => value !== undefined);
  const say = (text: string): Fault => ({ ...fault, text: fault.text.replace(shown, () => text) });
  // Where another value is shown than the one at hand, it stays.
  const isNone = shown === goSyntaxOfQuantity('0');
  if (sent === null || sent === '' || (sent === undefined && kind === 'HorizontalPodAutoscaler'))
    return isNone ? say(goSyntaxOf(internalTypes, 'resource.Quantity', null)) : fault;
  if ((typeof sent !== 'string' && typeof sent !== 'number') || !quantityForm.test(String(sent))) return fault;
  const text = String(sent);
  if (shown === goSyntaxOfQuantity(canonicalQuantity(text))) return say(goSyntaxOfQuantity(text));
  const rounded = formatQuantity(newMilliQuantity(quantityMilliValue(parseQuantity(text))));
  return shown === goSyntaxOfQuantity(rounded) ? say(goSyntaxOfResource(text)) : fault;
}

/** A list of resources, each amount in the form in which it came. */
function withSentAmounts(fault: Fault, sent: JsonObject): Fault {
  const amounts = Object.entries(sent).map(([name, amount]) => {
    const isSaid = (typeof amount === 'string' || typeof amount === 'number') && quantityForm.test(String(amount));
    return [name, isSaid ? goSyntaxOfResource(String(amount)) : goSyntaxOf(internalTypes, 'resource.Quantity', null)] as const;
  });
  const text = amounts
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${goQuote(name)}:${amount}`)
    .join(', ');
  return { ...fault, text: fault.text.replace(shownAmounts, () => `core.ResourceList{${text}}`) };
}

const shownAmounts = /core\.ResourceList\{.*\}(?=: supported values: )/;

/** Where it may have been said: an older version has it elsewhere, and what nobody says of a range comes from what is said. */
function placesOfAmount(field: string): readonly string[] {
  const [, metric, member = ''] = /^(spec\.metrics\[\d+\]\.\w+)\.target\.(\w+)$/.exec(field) ?? [];
  if (metric !== undefined) return [field, `${metric}.target${member.charAt(0).toUpperCase()}${member.slice(1)}`, `${metric}.${member}`];
  const [, limit = '', side = '', resource = ''] = /^(spec\.limits\[\d+\])\.(default|defaultRequest)(\[.*\])$/.exec(field) ?? [];
  if (side === '') return [field];
  return [field, ...(side === 'defaultRequest' ? [`${limit}.default${resource}`] : []), `${limit}.max${resource}`];
}

const quantityForm = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[numkMGTPE]|[KMGTPE]i|[eE][-+]?\d+)?$/;
const shownQuantity = /resource\.Quantity\{i:.*?Format:"\w*"\}/;

/** What was looked at once more came last. */
function attachment(faults: readonly Fault[]): readonly Fault[] {
  const more = faults.filter(isOnlyOfNew);
  const isDriver = ({ field }: Fault): boolean => field === 'spec.attacher';
  return [...faults.filter((fault) => !isOnlyOfNew(fault)), ...more.filter(isDriver), ...more.filter((fault) => !isDriver(fault))];
}

function showing(fault: Fault, form: RegExp, type: string, value: JsonValue): Fault {
  const [, before, after] = value === null ? [] : (form.exec(fault.text) ?? []);
  return before === undefined || after === undefined ? fault : { ...fault, text: before + goSyntaxOf(internalTypes, type, value) + after };
}

function isBareMap(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** What the last operation says of the place that sets it, or all around it, with what those behind it change inside. */
function byOperation(operations: readonly JsonValue[], keys: readonly string[]): JsonValue | undefined {
  const place = `/${keys.join('/')}`;
  const given = operations.filter(isObject);
  const at = given.findLastIndex(({ path }) => `${place}/`.startsWith(`${String(path)}/`));
  const set = given[at];
  // What was taken away again is not there, whatever was said of it before.
  if (set === undefined || set['op'] === 'remove') return undefined;
  const value = inside(set['value'], keys.slice(String(set['path']).split('/').length - 1));
  const later = given.slice(at + 1).filter(({ op, path }) => changes.has(String(op)) && String(path).startsWith(`${place}/`));
  if (!isObject(value) || later.length === 0) return value;
  return applyJsonPatch(
    value,
    later.map((operation) => ({ ...operation, path: String(operation['path']).slice(place.length) })),
  );
}

const changes: ReadonlySet<string> = new Set(['add', 'replace', 'remove']);

/** Of a path whose brackets hold places in lists. */
function valueAt(body: JsonObject | undefined, field: string): JsonValue | undefined {
  const keys = field.match(/(?<=\[)[^\]]+|[^.[\]]+/g) ?? [];
  return isList(body) ? byOperation(body, keys) : inside(body, keys);
}

function inside(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  return keys.reduce<JsonValue | undefined>(
    (outer, key) => (typeof outer === 'object' && outer !== null ? getOwn(outer as JsonObject, key) : undefined),
    value,
  );
}
