/** Paths that tell what is served: roots, groups, versions of groups, and the version of the server. Each is a document of its own in version 3. */
import type { GroupVersion } from '../../apimachinery/object.ts';
import { objectTypes } from './media-types.ts';
import { basePath, groupName, groupTag, operationName, tagName } from './names.ts';
import type { Operation, PathEntry } from './operation.ts';

const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const versionInfo = 'io.k8s.apimachinery.pkg.version.Info';

export interface DiscoveryPath extends PathEntry {
  /** Key in the index of version 3. */
  readonly document: string;
}

export function discoveryPaths(groups: readonly string[]): readonly DiscoveryPath[] {
  return [
    { document: 'api', path: '/api/', operations: [read('getCoreAPIVersions', 'core', `${meta}.APIVersions`)] },
    { document: 'apis', path: '/apis/', operations: [read('getAPIVersions', 'apis', `${meta}.APIGroupList`)] },
    ...groups.map((group) => ({
      document: `apis/${group}`,
      path: `/apis/${group}/`,
      operations: [read(`get${groupName(group)}APIGroup`, groupTag(group), `${meta}.APIGroup`)],
    })),
    {
      document: 'version',
      path: '/version/',
      operations: [{ ...read('getCodeVersion', 'version', versionInfo), consumes: ['application/json'], produces: ['application/json'] }],
    },
  ];
}

/** `/apis/apps/v1/` */
export function resourcesPath(gv: GroupVersion): PathEntry {
  return { path: `${basePath(gv)}/`, operations: [read(`get${operationName(gv)}APIResources`, tagName(gv), `${meta}.APIResourceList`)] };
}

function read(id: string, tag: string, response: string): Operation {
  return { method: 'get', id, tag, parameters: [], consumes: objectTypes, produces: objectTypes, codes: [200], response };
}
