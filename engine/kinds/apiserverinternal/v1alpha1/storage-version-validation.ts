/** What is wrong with what API servers say of the versions that they store. Mirrors pkg/apis/apiserverinternal/validation. */
import type { ServerStorageVersion, StorageVersion, StorageVersionStatus } from '../../../api/apiserverinternal/v1alpha1/types.gen.ts';
import { duplicate, type FieldErrorList, type FieldPath, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { isDNS1035Label, isDNS1123Subdomain, isQualifiedName } from '../../../apimachinery/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';

const statusPath = root('status');
const notDomain =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

/** Group and resource, with a dot between them. */
export function storageVersionNameFaults(name: string): readonly string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...isDNS1123Subdomain(name.slice(0, dot)).map((fault) => `the group segment ${fault}`),
    ...isDNS1035Label(name.slice(dot + 1)).map((fault) => `the resource segment ${fault}`),
  ];
}

export function validateStorageVersion({ status = {} }: StorageVersion): FieldErrorList {
  const out: Faults = [];
  const path = statusPath.child('storageVersions');
  const servers = new Set<string>();
  for (const [index, server] of (status.storageVersions ?? []).entries()) {
    const id = server.apiServerID ?? '';
    if (servers.has(id)) out.push(duplicate(path.index(index).child('apiServerID'), id));
    servers.add(id);
    validateServer(server, path.index(index), out);
  }
  validateCommon(status, out);
  validateConditions(status.conditions ?? [], out);
  return out;
}

function validateServer(server: ServerStorageVersion, path: FieldPath, out: Faults): void {
  const { apiServerID = '', encodingVersion = '', decodableVersions = [], servedVersions = [] } = server;
  const judge = (version: string, at: FieldPath): void => {
    const faults = versionFaults(version);
    if (faults.length > 0) out.push(invalid(at, version, faults.join(',')));
  };
  const known = new Set(decodableVersions);
  // Once: it may be as long as the request, and stands in what is said of each served version.
  const all = decodableVersions.join(' ');
  for (const fault of isDNS1123Subdomain(apiServerID)) out.push(invalid(path.child('apiServerID'), apiServerID, fault));
  judge(encodingVersion, path.child('encodingVersion'));
  decodableVersions.forEach((version, i) => judge(version, path.child('decodableVersions').index(i)));
  if (!known.has(encodingVersion))
    out.push(
      invalid(path.child('decodableVersions'), server.decodableVersions ?? null, `decodableVersions must include encodingVersion ${encodingVersion}`),
    );
  for (const [i, version] of servedVersions.entries()) {
    const at = path.child('servedVersions').index(i);
    judge(version, at);
    if (!known.has(version))
      out.push(invalid(at, version, `individual served version : ${version} must be included in decodableVersions : [${all}]`));
  }
}

/** A version, maybe behind a group. */
function versionFaults(text: string): readonly string[] {
  const parts = text.split('/');
  if (parts.length > 2) return [notDomain];
  const [version = '', group] = parts.toReversed();
  const faultsOf = (part: string, value: string, judge: (value: string) => readonly string[]): readonly string[] =>
    (value === '' ? ['must be non-empty'] : judge(value)).map((fault) => `${part} part: ${fault}`);
  return [...(group === undefined ? [] : faultsOf('group', group, isDNS1123Subdomain)), ...faultsOf('version', version, isDNS1035Label)];
}

function validateCommon({ storageVersions = [], commonEncodingVersion: said }: StorageVersionStatus, out: Faults): void {
  const path = statusPath.child('commonEncodingVersion');
  const found = new Set(storageVersions.map(({ encodingVersion = '' }) => encodingVersion));
  const [common] = found.size === 1 ? found : [];
  if (common === said) return;
  if (common === undefined)
    out.push(
      invalid(
        path,
        said,
        'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
      ),
    );
  else out.push(invalid(path, said ?? null, said === undefined ? `the common encoding version is ${common}` : `the actual common encoding version is ${common}`)); // biome-ignore format: one line
}

function validateConditions(conditions: NonNullable<StorageVersionStatus['conditions']>, out: Faults): void {
  const seen = new Map<string, number>();
  for (const [index, { type = '', status = '', reason = '', message = '' }] of conditions.entries()) {
    // Upstream's path leaves `conditions` out.
    const path = statusPath.index(index);
    const before = seen.get(type);
    if (before !== undefined)
      out.push(invalid(path.child('type'), type, `the type of the condition is not unique, it also appears in conditions[${before}]`));
    seen.set(type, index);
    for (const fault of isQualifiedName(type)) out.push(invalid(path.child('type'), type, fault));
    for (const fault of isQualifiedName(status)) out.push(invalid(path.child('status'), status, fault));
    if (reason === '') out.push(required(path.child('reason')));
    if (message === '') out.push(required(path.child('message')));
  }
}
