/** Faults of release 1.13 that show what was sent as it was sent, and those that only a version or a verb had. */
import { goSyntaxOf } from '../../../apimachinery/go-syntax.ts';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { RefusedRequest } from '../../../contracts/release.ts';
import type { Fault } from './faults.ts';
import { goTypes } from './types.ts';
import { isOnlyOfNew } from './unjudged.ts';

/** `body`: what was sent, where it is an object in JSON. */
export function asTheySent(kind: string, faults: readonly Fault[], { method }: RefusedRequest, body: JsonObject | undefined): readonly Fault[] {
  if (kind === 'VolumeAttachment') return attachment(faults);
  const isWhole = method === 'POST' || method === 'PUT';
  return faults.flatMap((fault) => {
    const sent = valueAt(body, fault.field);
    if (fault.text === 'Invalid value: 5: must not be specified' && typeof sent === 'number')
      return [{ ...fault, text: `Invalid value: ${sent}: must not be specified` }];
    if (kind === 'HorizontalPodAutoscaler' && fault.field === 'spec.maxReplicas' && typeof sent === 'number')
      return [{ ...fault, text: fault.text.replace('Invalid value: 0: ', `Invalid value: ${sent}: `) }];
    if (kind === 'StorageClass' && fault.field === 'provisioner' && typeof sent === 'string')
      return [{ ...fault, text: fault.text.replace(JSON.stringify(sent.toLowerCase()), JSON.stringify(sent)) }];
    if (isWhole && fault.field === 'metadata' && sent !== undefined)
      return [showing(fault, /^(Invalid value: ).*(: must be empty.*)$/s, 'v1.ObjectMeta', sent)];
    if (isWhole && fault.field === 'spec.selector' && sent !== undefined)
      return [
        showing(
          fault,
          /^(Invalid value: ).*(: (?:empty selector is invalid for .*|field is immutable|invalid label selector))$/s,
          'v1.LabelSelector',
          sent,
        ),
      ];
    const port = /^(.*)\.hostPort$/.exec(fault.field)?.[1];
    if (port !== undefined && fault.text.endsWith('must match `containerPort` when `hostNetwork` is true')) {
      const field = `${port}.containerPort`;
      const shown = JSON.stringify(valueAt(body, field) ?? 0);
      return [{ ...fault, field, text: `Invalid value: ${shown}: must match \`hostPort\` when \`hostNetwork\` is true` }];
    }
    // Of a list that is there it asked only whether it has storage.
    if (kind === 'PersistentVolume' && fault.text.startsWith('Unsupported value: core.ResourceList(nil)') && isBareMap(sent)) return [];
    return [fault];
  });
}

/** What was looked at once more came last. */
function attachment(faults: readonly Fault[]): readonly Fault[] {
  return [...faults.filter((fault) => !isOnlyOfNew(fault)), ...faults.filter(isOnlyOfNew)];
}

function showing(fault: Fault, form: RegExp, type: string, value: JsonValue): Fault {
  const [, before, after] = form.exec(fault.text) ?? [];
  return before === undefined || after === undefined ? fault : { ...fault, text: before + goSyntaxOf(goTypes, type, value) + after };
}

function isBareMap(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Of a path whose brackets hold places in lists. */
function valueAt(body: JsonObject | undefined, field: string): JsonValue | undefined {
  let value: JsonValue | undefined = body;
  for (const key of field.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = getOwn(value as JsonObject, key);
  }
  return value;
}
