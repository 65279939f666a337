/** Paths that tell what is served: roots, groups, versions of groups, and the version of the server. Each is a document of its own in version 3. */
import type { GroupVersion } from '../../apimachinery/object.ts';
import { objectTypes } from './media-types.ts';
import { basePath, groupName, groupTag, operationName, tagName } from './names.ts';
import type { Operation, PathEntry } from './operation.ts';

const json = ['application/json'];
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
export const versionInfo = 'io.k8s.apimachinery.pkg.version.Info';

export interface DiscoveryPath extends PathEntry {
  /** Key in the index of version 3. */
  readonly document: string;
}

export function discoveryPaths(groups: readonly string[], ofVersion = 'the version information for this server'): readonly DiscoveryPath[] {
  return [
    { document: 'api', path: '/api/', operations: [read('getCoreAPIVersions', 'core', 'available API versions', `${meta}.APIVersions`)] },
    { document: 'apis', path: '/apis/', operations: [read('getAPIVersions', 'apis', 'available API versions', `${meta}.APIGroupList`)] },
    ...groups.map((group) => ({
      document: `apis/${group}`,
      path: `/apis/${group}/`,
      operations: [read(`get${groupName(group)}APIGroup`, groupTag(group), 'information of a group', `${meta}.APIGroup`)],
    })),
    {
      document: 'version',
      path: '/version/',
      operations: [{ ...read('getCodeVersion', 'version', ofVersion, versionInfo), consumes: json, produces: json }],
    },
  ];
}

/** Of the issuer of tokens, where the server has one. */
export const issuerDocuments: readonly DiscoveryPath[] = [
  described('.well-known/openid-configuration', 'WellKnown', 'application/json', {
    id: 'getServiceAccountIssuerOpenIDConfiguration',
    description: "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
  }),
  described('openid/v1/jwks', 'openid', 'application/jwk-set+json', {
    id: 'getServiceAccountIssuerOpenIDKeyset',
    description: 'get service account issuer OpenID JSON Web Key Set (contains public token verification keys)',
  }),
];

function described(document: string, tag: string, type: string, said: { readonly id: string; readonly description: string }): DiscoveryPath {
  const operation: Operation = { ...said, method: 'get', tag, parameters: [], consumes: [], produces: [type], codes: [200], response: 'string' };
  return { document, path: `/${document}/`, operations: [operation] };
}

/** `/apis/apps/v1/` */
export function resourcesPath(gv: GroupVersion): PathEntry {
  return {
    path: `${basePath(gv)}/`,
    operations: [read(`get${operationName(gv)}APIResources`, tagName(gv), 'available resources', `${meta}.APIResourceList`)],
  };
}

function read(id: string, tag: string, what: string, response: string): Operation {
  return { method: 'get', id, tag, description: `get ${what}`, parameters: [], consumes: objectTypes, produces: objectTypes, codes: [200], response };
}
