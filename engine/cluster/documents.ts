/** How the API server describes itself: documents of OpenAPI and Swagger, what is said of the issuer of its tokens, and further pages. */
import { createIssuerDocuments, isDiscoverable } from '../apiserver/auth/issuer-documents.ts';
import { defaultAddress } from '../apiserver/non-resource.ts';
import { Descriptions, type ReadTypes } from '../apiserver/openapi/descriptions.ts';
import { createOpenApi, type DocumentHandler, type OpenApiOptions } from '../apiserver/openapi/openapi.ts';
import { ParameterWords } from '../apiserver/openapi/parameter-words.ts';
import type { Release } from '../contracts/release.ts';
import type { ClusterHost } from './cluster-host.ts';

export interface DocumentsOptions extends Pick<OpenApiOptions, 'server' | 'schemas' | 'customSchema' | 'listsValues'> {
  readonly host: ClusterHost;
  readonly release: Release;
  /** Further pages by path. */
  readonly pages: DocumentHandler;
}

export interface SelfDescription {
  readonly documents: DocumentHandler;
  /** What types and fields are for. */
  readonly descriptions: Descriptions;
}

export function createDocuments({ host, release, pages, ...options }: DocumentsOptions): SelfDescription {
  const readTypes: ReadTypes = (path) => host.readTypes?.(path);
  const descriptions = new Descriptions(readTypes, release.describedBy, { elsewhere: release.describedElsewhere, rewords: release.openApi?.rewords });
  const published = host.tokenSigner?.published;
  const address = (): string => host.address?.() ?? defaultAddress;
  const openApi = createOpenApi({
    ...options,
    release,
    hash: (text) => host.hash(text),
    address,
    descriptions,
    parameterWords: new ParameterWords(readTypes),
    publishesIssuer: published !== undefined && isDiscoverable(published.issuer) && release.paths?.later.includes('/openid') !== true,
  });
  const ofIssuer = published && createIssuerDocuments(published, address);
  return { documents: (request, path, others) => openApi(request, path, others) ?? ofIssuer?.(request, path) ?? pages(request, path), descriptions };
}
