/** What strategies of kinds with a pod template do alike: fields without their gate go, status stays the controllers', users are warned. */
import type { PodTemplateSpec } from '../../api/core/v1/types.gen.ts';
import type { FieldPath } from '../../apimachinery/field-errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { KindDefinition } from '../../contracts/kind.ts';
import { dropDisabledInTemplate } from '../core/v1/pod-fields.ts';
import { inPodNames, warnOfName, warnOfTemplate } from '../core/v1/pod-warnings.ts';
import { WarningList } from '../core/v1/warning-list.ts';
import { dropStatus, keepStatus, specPath } from './strategy.ts';

export interface TemplatePlace<T> {
  readonly path: FieldPath;
  get(object: T): PodTemplateSpec | undefined;
  put(object: T, template: PodTemplateSpec): T;
  /** The name becomes part of names of pods: one that cannot be a host's is told of. */
  readonly isInNames?: boolean;
}

interface WithTemplate extends KubeObject {
  readonly spec?: { readonly template?: PodTemplateSpec };
}

/** Where most kinds have it. */
export function specTemplate<T extends WithTemplate>(isInNames: boolean): TemplatePlace<T> {
  return {
    path: specPath.child('template'),
    isInNames,
    get: ({ spec }) => spec?.template,
    put: (object, template) => ({ ...object, spec: { ...object.spec, template } }),
  };
}

type Hooks<T extends KubeObject> = Required<Pick<KindDefinition<T>, 'prepareForCreate' | 'prepareForUpdate' | 'warnings'>>;

export function templateHooks<T extends KubeObject>(place: TemplatePlace<T>): Hooks<T> {
  const dropped = (object: T, old: T | undefined, gates: Parameters<typeof dropDisabledInTemplate>[2]): T => {
    const template = place.get(object);
    if (!template) return object;
    const next = dropDisabledInTemplate(template, old && place.get(old), gates);
    return next === template ? object : place.put(object, next);
  };
  return {
    prepareForCreate: (object, context) => dropped(dropStatus(object), undefined, context),
    prepareForUpdate: (next, old, context) => dropped(keepStatus(next, old), old, context),
    warnings: (object, old) => templateWarnings(place, object, old),
  };
}

/** Only what is new is looked at: `old` of the same generation is another's write. */
export function templateWarnings<T extends KubeObject>(place: TemplatePlace<T>, object: T, old: T | undefined): readonly string[] {
  if (old !== undefined && old.metadata.generation === object.metadata.generation) return [];
  const out = new WarningList();
  if (old === undefined && place.isInNames === true) warnOfName(object.metadata.name, inPodNames, out);
  warnOfTemplate(place.get(object), place.path, out);
  return out.texts;
}
