/** What requests and answers are made of, as this server reads and writes it. */
export const anyType = ['*/*'];
export const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
export const listTypes = [...objectTypes, 'application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
/** Of a server that applies nothing. */
export const plainPatchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json'];
export const patchTypes = [...plainPatchTypes, 'application/apply-patch+yaml'];
/** A server of custom resources knows no protobuf of them and no strategic merge. */
export const customTypes = ['application/json', 'application/yaml'];
export const customPatchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];
export const logTypes = ['text/plain', ...objectTypes];

/** The same with CBOR, where its gate is on: of what has a binary form already, and so not of custom resources, which are not described in it. */
export function withCbor(types: readonly string[]): readonly string[] {
  if (types === patchTypes) return [...types, 'application/apply-patch+cbor'];
  if (!types.includes('application/vnd.kubernetes.protobuf')) return types;
  const named = types.flatMap((type) => (type === 'application/vnd.kubernetes.protobuf' ? [type, 'application/cbor'] : [type]));
  return types === listTypes ? [...named, 'application/cbor-seq'] : named;
}
