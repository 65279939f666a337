/** Who a container runs as and what its devices are like. Mirrors validateContainerStatusUsers and validateContainerStatusAllocatedResourcesStatus of pkg/apis/core/validation. */
import type { ContainerStatus, ContainerUser, Pod, PodSpec, ResourceHealth } from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldPath, forbidden, invalid, notSupported, required, tooLong } from '../../../apimachinery/field-errors.ts';
import { byteLength, isValidGroupID, isValidUserID } from '../../../apimachinery/validation.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { statusPath } from '../../shared/strategy.ts';
import type { AnyContainer } from './containers.ts';
import type { Faults } from './resource-validation.ts';

const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

export function validateContainerStatuses(status: NonNullable<Pod['status']>, spec: PodSpec, out: Faults): void {
  const os = spec.os?.name ?? 'linux';
  for (const list of lists)
    for (const [index, { user }] of (status[list] ?? []).entries())
      if (user) validateUser(user, os, statusPath.child(list).index(index).child('user').child('linux'), out);
  const containers = [spec.containers ?? [], spec.initContainers ?? []];
  for (const [place, list] of lists.entries()) {
    for (const [index, one] of (status[list] ?? []).entries()) {
      if (!one.allocatedResourcesStatus?.length) continue;
      const path = statusPath.child(list).index(index).child('allocatedResourcesStatus');
      if (containers[place] === undefined) out.push(forbidden(path, 'must not be specified in container status'));
      else validateAllocated(one, containers[place].find(({ name }) => name === one.name), path, out); // biome-ignore format: one line
    }
  }
}

function validateUser({ linux }: ContainerUser, os: string, path: FieldPath, out: Faults): void {
  if (!linux) return;
  if (os === 'windows') return void out.push(forbidden(path, 'cannot be set for a windows pod'));
  if (os !== 'linux') return;
  const { uid = 0, gid = 0, supplementalGroups = [] } = linux;
  for (const fault of isValidUserID(uid)) out.push(invalid(path.child('uid'), uid, fault));
  for (const fault of isValidGroupID(gid)) out.push(invalid(path.child('gid'), gid, fault));
  for (const [index, id] of supplementalGroups.entries())
    for (const fault of isValidGroupID(id)) out.push(invalid(path.child('supplementalGroups').index(index), id, fault));
}

const claimText =
  "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
const healths = ['Healthy', 'Unhealthy', 'Unknown'];
const longestMessage = 1024;

function validateAllocated(status: ContainerStatus, container: AnyContainer | undefined, path: FieldPath, out: Faults): void {
  for (const [index, { name = '', resources = [] }] of (status.allocatedResourcesStatus ?? []).entries()) {
    const at = path.index(index);
    const isClaim = name.startsWith('claim:');
    if (container && !(isClaim ? hasClaim(container, name) : getOwn(container.resources?.requests, name) !== undefined))
      out.push(invalid(at.child('name'), name, isClaim ? claimText : "must match one of the container's resource requests"));
    const seen = new Set<string>();
    for (const [place, resource] of resources.entries()) validateHealth(resource, seen, at.child('resources').index(place), out);
  }
}

function hasClaim({ resources }: AnyContainer, name: string): boolean {
  return resources?.claims?.some((claim) => `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}` === name) === true;
}

function validateHealth({ resourceID = '', health = '', message }: ResourceHealth, seen: Set<string>, path: FieldPath, out: Faults): void {
  if (!healths.includes(health)) out.push(notSupported(path.child('health'), health, healths));
  if (message === '') out.push(required(path.child('message'), 'must be non-empty if specified'));
  else if (message !== undefined && byteLength(message) > longestMessage) out.push(tooLong(path.child('message'), longestMessage));
  if (seen.has(resourceID)) out.push(duplicate(path.child('resourceID'), resourceID));
  seen.add(resourceID);
}
