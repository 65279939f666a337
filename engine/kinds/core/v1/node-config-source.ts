/** Where kubelets of former releases found their configuration. Mirrors validateNodeConfigSourceSpec and validateNodeConfigStatus of release 1.13. */
import type { ConfigMapNodeConfigSource, Node, NodeConfigSource } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { isConfigMapKey, isDNS1123Label, isDNS1123Subdomain } from '../../../apimachinery/validation.ts';
import type { Faults } from './resource-validation.ts';

export function validateConfigSources({ spec, status }: Node, out: Faults): void {
  if (spec?.configSource) validateSource(spec.configSource, false, root('spec', 'configSource'), out);
  for (const name of ['assigned', 'active', 'lastKnownGood'] as const) {
    const source = status?.config?.[name];
    if (source) validateSource(source, true, root('status', 'config', name), out);
  }
}

/** What is in use names one object for good; what is wanted names none. */
function validateSource(source: NodeConfigSource, isInUse: boolean, path: FieldPath, out: Faults): void {
  if (!source.configMap) return void out.push(invalid(path, source, 'exactly one reference subfield must be non-nil'));
  const at = path.child('configMap');
  for (const field of ['uid', 'resourceVersion'] as const) {
    if (isInUse && !source.configMap[field]) out.push(required(at.child(field), `${field} must be set in status`));
    if (!isInUse && source.configMap[field]) out.push(forbidden(at.child(field), `${field} must not be set in spec`));
  }
  validatePlace(source.configMap, at, out);
}

function validatePlace(source: ConfigMapNodeConfigSource, path: FieldPath, out: Faults): void {
  const rules = [
    ['namespace', isDNS1123Label],
    ['name', isDNS1123Subdomain],
    ['kubeletConfigKey', isConfigMapKey],
  ] as const;
  for (const [field, judge] of rules) {
    const value = source[field];
    if (!value) out.push(required(path.child(field), `${field} must be set`));
    else for (const text of judge(value)) out.push(invalid(path.child(field), value, text));
  }
}
