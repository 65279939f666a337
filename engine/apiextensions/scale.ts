/** The `scale` subresource of a custom kind: three paths into the object. Mirrors ScaleREST of apiextensions-apiserver pkg/registry/customresource. */
import type { CustomResourceSubresourceScale } from '../api/apiextensions/v1/types.gen.ts';
import { type FieldErrorList, invalid, root } from '../apimachinery/field-errors.ts';
import { goPrint, goTypeOf } from '../apimachinery/go-value.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { getOwn } from '../base/dictionary.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ScaleDefinition } from '../contracts/kind.ts';
import { stepsOf, valueAt, withValueAt } from './names.ts';

const int32Max = 2_147_483_647;

export function scaleBy({
  specReplicasPath,
  statusReplicasPath,
  labelSelectorPath = '',
}: CustomResourceSubresourceScale): ScaleDefinition<KubeObject> {
  const numberAt = (object: KubeObject, path: string): number | undefined => {
    const value = at(object, path);
    return value === undefined ? undefined : Number(value);
  };
  return {
    customPath: specReplicasPath,
    replicasPath: stepsOf(specReplicasPath),
    getReplicas: (object) => numberAt(object, specReplicasPath),
    getStatusReplicas: (object) => numberAt(object, statusReplicasPath) ?? 0,
    getSelector: (object) => (labelSelectorPath === '' ? '' : String(at(object, labelSelectorPath) ?? '')),
    fault: (object) =>
      numberFault(object, specReplicasPath) ??
      numberFault(object, statusReplicasPath) ??
      (labelSelectorPath === '' ? undefined : textFault(object, labelSelectorPath)),
    setReplicas: (object, replicas) => withValueAt(object as unknown as JsonObject, stepsOf(specReplicasPath), replicas) as unknown as KubeObject,
  };
}

/** What the paths of the scale lead to. `part` says which of them a write could have changed. */
export function validateScale(object: KubeObject, scale: CustomResourceSubresourceScale | undefined, part: 'all' | 'status'): FieldErrorList {
  if (scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...(part === 'all' ? replicasFaults(object, specReplicasPath) : []),
    ...replicasFaults(object, statusReplicasPath),
    ...(labelSelectorPath ? selectorFaults(object, labelSelectorPath) : []),
  ];
}

function replicasFaults(object: KubeObject, path: string): FieldErrorList {
  const fault = numberFault(object, path);
  if (fault !== undefined) return [invalid(root(path), 0, fault)];
  const value = at(object, path) as number | bigint | undefined;
  if (value === undefined) return [];
  if (value < 0) return [invalid(root(path), value, 'should be a non-negative integer')];
  return value > int32Max ? [invalid(root(path), value, `should be less than or equal to ${int32Max}`)] : [];
}

function selectorFaults(object: KubeObject, path: string): FieldErrorList {
  const fault = textFault(object, path);
  return fault === undefined ? [] : [invalid(root(path), '', fault)];
}

function numberFault(object: KubeObject, path: string): string | undefined {
  const broken = brokenStep(object, path);
  if (broken !== undefined) return broken;
  const value = at(object, path);
  return value === undefined || goTypeOf(value) === 'int64' ? undefined : wrongType(stepsOf(path), value, 'int64');
}

function textFault(object: KubeObject, path: string): string | undefined {
  const broken = brokenStep(object, path);
  if (broken !== undefined) return broken;
  const value = at(object, path);
  return value === undefined || typeof value === 'string' ? undefined : wrongType(stepsOf(path), value, 'string');
}

function at(object: KubeObject, path: string): JsonValue | undefined {
  return valueAt(object as unknown as JsonObject, stepsOf(path));
}

/** What stands in the way of a path: something that has no fields. */
function brokenStep(object: KubeObject, path: string): string | undefined {
  const steps = stepsOf(path);
  let value = object as unknown as JsonValue;
  for (const [index, step] of steps.entries()) {
    if (!isObject(value)) return wrongType(steps.slice(0, index + 1), value, 'map[string]interface{}');
    const next = getOwn(value, step);
    if (next === undefined || next === null) return undefined;
    value = next;
  }
  return undefined;
}

/** As unstructured's accessors say it, with the value as Go prints it. */
function wrongType(steps: readonly string[], value: JsonValue, wanted: string): string {
  return `.${steps.join('.')} accessor error: ${goPrint(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`;
}
