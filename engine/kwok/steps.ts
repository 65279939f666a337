/** What a step of a stage sends to the API server. Mirrors pkg/utils/lifecycle/{next,finalizers}.go of sigs.k8s.io/kwok. */
import type { StageFinalizers, StagePatch } from '../api/kwok/v1alpha1/stage.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { decodeYaml } from '../apimachinery/serializer/yaml.ts';
import { DecodeError } from '../apimachinery/serializer/scalars.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { PatchType } from '../contracts/request.ts';
import { StageError } from './stage.ts';

export interface ReadyPatch {
  readonly type: PatchType;
  readonly document: JsonValue;
  readonly subresource: string | undefined;
}

type Render = (template: string) => string;

/** What the template stands for. Throws StageError where that is not YAML. */
export function renderYaml(template: string, render: Render): JsonValue {
  const text = render(template.trim());
  try {
    return text.trim() === '' ? null : (decodeYaml(text).value as JsonValue);
  } catch (error) {
    throw error instanceof DecodeError ? new StageError(`error converting YAML to JSON: ${error.message}`) : error;
  }
}

/** A type that nobody gives is strategic for nodes and pods, and merge for others. */
export function patchOf(patch: StagePatch, kind: string, render: Render): ReadyPatch {
  const document = renderYaml(patch.template ?? '', render);
  const subresource = patch.subresource ? patch.subresource : undefined;
  const root = patch.root ?? '';
  if (patch.type === 'json') return { type: 'json', document: root === '' ? document : below(root, document), subresource };
  const type = patch.type === 'merge' || patch.type === 'strategic' ? patch.type : kind === 'Node' || kind === 'Pod' ? 'strategic' : 'merge';
  return { type, document: root === '' ? document : { [root]: document }, subresource };
}

function below(root: string, operations: JsonValue): JsonValue {
  if (!Array.isArray(operations)) throw new StageError('a JSON patch is a list');
  return (operations as readonly JsonObject[]).map((operation) => ({ ...operation, path: `/${root}${String(operation['path'] ?? '')}` }));
}

/** The finalizers after the step; undefined where they stay. */
export function finalizersAfter({ metadata: { finalizers = [] } }: KubeObject, step: StageFinalizers): readonly string[] | undefined {
  const values = (items: StageFinalizers['add'] = []): readonly string[] => items.flatMap(({ value }) => (value ? [value] : []));
  const removed = new Set(values(step.remove));
  const kept = step.empty === true ? [] : finalizers.filter((finalizer) => !removed.has(finalizer));
  const after = [...new Set([...kept, ...values(step.add)])];
  return after.length === finalizers.length && after.every((finalizer, index) => finalizer === finalizers[index]) ? undefined : after;
}
