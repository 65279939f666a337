/** Names that configurations in files have: none of the API may have one where there are such files. Mirrors pkg/apis/admissionregistration/validation/static_suffix.go. */
import { type FieldErrorList, invalid, root } from '../../../apimachinery/field-errors.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { KindDefinition, StrategyContext } from '../../../contracts/kind.ts';

export const staticSuffix = '.static.k8s.io';
export const staticNamesGate = 'ManifestBasedAdmissionControlConfig';
const text = `names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;

type Hooks<T extends KubeObject> = Required<Pick<KindDefinition<T>, 'validate' | 'warnings'>>;

/** What creations are judged by and told besides. */
export function freeOfStaticNames<T extends KubeObject>(validate: NonNullable<KindDefinition<T>['validate']>): Hooks<T> {
  return {
    validate: (object, context) => [...validate(object, context), ...staticName(object, context)],
    warnings: (object, old, context) =>
      old === undefined && isStatic(object) && !context.featureEnabled(staticNamesGate) ? [`metadata.name: ${text}`] : [],
  };
}

function isStatic({ metadata }: KubeObject): boolean {
  return metadata.name?.endsWith(staticSuffix) === true;
}

function staticName(object: KubeObject, context: StrategyContext): FieldErrorList {
  return isStatic(object) && context.featureEnabled(staticNamesGate) ? [invalid(root('metadata', 'name'), object.metadata.name, text)] : [];
}
