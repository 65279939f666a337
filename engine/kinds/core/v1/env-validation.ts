/** Environment variables and the fields they may take their values from. Mirrors ValidateEnv of pkg/apis/core/validation. */
import type { Container, EnvVar, FileKeySelector, ObjectFieldSelector, ResourceFieldSelector } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { isConfigMapKey, isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isRelaxedEnvVarName } from '../../../apimachinery/validation.ts';
import type { Faults } from './resource-validation.ts';
import { noBacksteps } from './volume-paths.ts';

const envFields: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);
export const volumeFields: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.labels',
  'metadata.annotations',
  'metadata.uid',
]);
const knownFields: ReadonlySet<string> = new Set([
  ...envFields,
  ...volumeFields,
  'spec.restartPolicy',
  'status.phase',
  'spec.schedulerName',
  'spec.hostNetwork',
]);
const resourceFields = ['limits.cpu', 'limits.ephemeral-storage', 'limits.memory', 'requests.cpu', 'requests.ephemeral-storage', 'requests.memory'];
const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

export function validateEnv(variables: readonly EnvVar[], hasFiles: boolean, path: FieldPath, out: Faults): void {
  for (let index = 0; index < variables.length; index++) {
    const variable = variables[index] as EnvVar;
    if (!variable.name) out.push(required(path.index(index).child('name')));
    else for (const fault of isRelaxedEnvVarName(variable.name)) out.push(invalid(path.index(index).child('name'), variable.name, fault));
    if (variable.valueFrom) validateSource(variable, hasFiles, path.index(index).child('valueFrom'), out);
  }
}

function validateSource(variable: EnvVar, hasFiles: boolean, path: FieldPath, out: Faults): void {
  const from = variable.valueFrom ?? {};
  const count = sources.filter((name) => from[name]).length;
  if (from.fieldRef) validateFieldRef(from.fieldRef, envFields, path.child('fieldRef'), out);
  if (from.resourceFieldRef) validateResourceFieldRef(from.resourceFieldRef, false, path.child('resourceFieldRef'), out);
  if (from.configMapKeyRef) validateKeyRef(from.configMapKeyRef, path.child('configMapKeyRef'), out);
  if (from.secretKeyRef) validateKeyRef(from.secretKeyRef, path.child('secretKeyRef'), out);
  if (from.fileKeyRef) validateFileRef(from.fileKeyRef, path.child('fileKeyRef'), out);
  if (count === 0)
    out.push(
      invalid(
        path,
        '',
        `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${hasFiles ? ', `secretKeyRef` or `fileKeyRef`' : ' or `secretKeyRef`'}`,
      ),
    );
  else if (variable.value) out.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (count > 1) out.push(invalid(path, '', 'may not have more than one field specified at a time'));
}

function validateKeyRef(ref: { readonly name?: string; readonly key: string }, path: FieldPath, out: Faults): void {
  for (const fault of isDNS1123Subdomain(ref.name ?? '')) out.push(invalid(path.child('name'), ref.name ?? '', fault));
  if (!ref.key) out.push(required(path.child('key')));
  else for (const fault of isConfigMapKey(ref.key)) out.push(invalid(path.child('key'), ref.key, fault));
}

function validateFileRef({ key, volumeName, path: file }: FileKeySelector, path: FieldPath, out: Faults): void {
  if (!key) out.push(required(path.child('key')));
  else for (const fault of isRelaxedEnvVarName(key)) out.push(invalid(path.child('key'), key, fault));
  if (!volumeName) out.push(required(path.child('volumeName')));
  else for (const fault of isDNS1123Label(volumeName)) out.push(invalid(path.child('volumeName'), volumeName, fault));
  if (!file) out.push(required(path.child('path')));
  else noBacksteps(file, path.child('path'), out);
}

/** `metadata.labels['x']` has a subscript. */
export function validateFieldRef(ref: ObjectFieldSelector, allowed: ReadonlySet<string>, path: FieldPath, out: Faults): void {
  if (!ref.apiVersion) return void out.push(required(path.child('apiVersion')));
  if (!ref.fieldPath) return void out.push(required(path.child('fieldPath')));
  const subscripted = /^(.*)\['(.*)'\]$/.exec(ref.fieldPath);
  const name = subscripted?.[1] ?? ref.fieldPath;
  if (ref.apiVersion !== 'v1') {
    out.push(invalid(path.child('fieldPath'), ref.fieldPath, `error converting fieldPath: unsupported pod version: ${ref.apiVersion}`));
  } else if (subscripted !== null) {
    const key = subscripted[2] ?? '';
    if (name === 'metadata.annotations') for (const fault of isQualifiedName(key.toLowerCase())) out.push(invalid(path, key.toLowerCase(), fault));
    else if (name === 'metadata.labels') for (const fault of isQualifiedName(key)) out.push(invalid(path, key, fault));
    else
      out.push(
        invalid(path.child('fieldPath'), ref.fieldPath, `error converting fieldPath: field label does not support subscript: ${ref.fieldPath}`),
      );
  } else if (!knownFields.has(name)) {
    out.push(invalid(path.child('fieldPath'), ref.fieldPath, `error converting fieldPath: field label not supported: ${ref.fieldPath}`));
  } else if (!allowed.has(name)) out.push(notSupported(path.child('fieldPath'), name, allowed));
}

export function validateResourceFieldRef(ref: ResourceFieldSelector, inVolume: boolean, path: FieldPath, out: Faults): void {
  const resource = ref.resource ?? '';
  if (inVolume && !ref.containerName) out.push(required(path.child('containerName')));
  else if (!resource) out.push(required(path.child('resource')));
  else if (!resourceFields.includes(resource) && !/^(requests|limits)\.hugepages-/.test(resource))
    out.push(notSupported(path.child('resource'), resource, resourceFields));
  validateDivisor(resource, ref.divisor, path, out);
}

const cpuDivisors = ['1m', '1'];
const sizeDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

function validateDivisor(resource: string, divisor: string | undefined, path: FieldPath, out: Faults): void {
  if (divisor === undefined || divisor === '0' || !/^(limits|requests)\.(cpu$|memory$|ephemeral-storage$|hugepages-)/.test(resource)) return;
  if (resource.endsWith('.cpu')) {
    if (!cpuDivisors.includes(divisor))
      out.push(invalid(path.child('divisor'), resource, "only divisor's values 1m and 1 are supported with the cpu resource"));
  } else if (!sizeDivisors.includes(divisor)) {
    const name = resource.endsWith('.memory') ? 'memory' : resource.includes('hugepages') ? 'hugepages' : 'local ephemeral storage';
    out.push(
      invalid(
        path.child('divisor'),
        resource,
        `only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the ${name} resource`,
      ),
    );
  }
}

export function validateEnvFrom(all: NonNullable<Container['envFrom']>, path: FieldPath, out: Faults): void {
  for (const [index, source] of all.entries()) {
    const at = path.index(index);
    if (source.prefix) for (const fault of isRelaxedEnvVarName(source.prefix)) out.push(invalid(at.child('prefix'), source.prefix, fault));
    for (const name of ['configMapRef', 'secretRef'] as const) {
      const ref = source[name];
      if (!ref) continue;
      if (!ref.name) out.push(required(at.child(name).child('name')));
      else for (const fault of isDNS1123Subdomain(ref.name)) out.push(invalid(at.child(name).child('name'), ref.name, fault));
    }
    if (!source.configMapRef && !source.secretRef) out.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (source.configMapRef && source.secretRef) out.push(invalid(path, '', 'may not have more than one field specified at a time'));
  }
}
