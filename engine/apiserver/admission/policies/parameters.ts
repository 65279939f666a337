/** The objects that a binding hands to its policy. Mirrors CollectParams of apiserver pkg/admission/plugin/policy/generic. */
import type { ParamKind, ParamRef } from '../../../api/admissionregistration/v1/types.gen.ts';
import { labelSelectorAsSelector, SelectorError } from '../../../apimachinery/labels.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { AdmissionAttributes } from '../../admission.ts';

/** Why a policy or binding cannot be used; the failure policy says what that means. */
export class ConfigurationFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationFault';
  }
}

/** Each is evaluated by itself; undefined stands for a policy without parameters. Throws ConfigurationFault. */
export function parametersOf(
  kind: ParamKind | null | undefined,
  ref: ParamRef | null | undefined,
  { forms, namespace }: Pick<AdmissionAttributes, 'forms' | 'namespace'>,
): readonly (KubeObject | undefined)[] {
  if (kind === undefined || kind === null || ref === undefined || ref === null) return [undefined];
  const objects = forms.objectsOf(kind.apiVersion ?? '', kind.kind ?? '');
  if (objects === undefined) throw new ConfigurationFault(unknownKind(kind));
  const given = ref.namespace ?? '';
  if (!objects.isNamespaced && given !== '') throw new ConfigurationFault('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const place = objects.isNamespaced ? given || namespace : '';
  if (objects.isNamespaced && place === '')
    throw new ConfigurationFault('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  const found = objects.list(place).filter(chooser(ref));
  if (found.length === 0 && ref.parameterNotFoundAction === 'Deny')
    throw new ConfigurationFault('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

export function unknownKind({ apiVersion = '', kind = '' }: ParamKind): string {
  const gvk = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`;
  return `failed to find resource referenced by paramKind: '${gvk}, Kind=${kind}'`;
}

function chooser({ name, selector }: ParamRef): (object: KubeObject) => boolean {
  if (name !== undefined && name !== '') return ({ metadata }) => metadata.name === name;
  if (selector === undefined || selector === null) throw new ConfigurationFault('one of name or selector must be provided');
  try {
    const parsed = labelSelectorAsSelector(selector);
    return ({ metadata }) => parsed.matches(metadata.labels);
  } catch (error) {
    if (error instanceof SelectorError) throw new ConfigurationFault(error.message);
    throw error;
  }
}
