/**
 * Image references as a registry client reads them: `nginx` is `docker.io/library/nginx:latest`. Mirrors
 * github.com/distribution/reference (normalize.go) and the kubelet's pkg/util/parsers.
 */
export interface ImageName {
  readonly host: string;
  /** With host: `docker.io/library/nginx`. */
  readonly repository: string;
  readonly tag: string;
  readonly digest: string;
  /** `docker.io/library/nginx:1.27`, or with `@sha256:…`. */
  readonly full: string;
}

const component = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const hostPattern = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::[0-9]+)?$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const digestPattern = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;

/** The reference's parts, or the reason why it is none. */
export function parseImageName(image: string): ImageName | string {
  const at = image.indexOf('@');
  const digest = at < 0 ? '' : image.slice(at + 1);
  const named = at < 0 ? image : image.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const path = hasTag ? named.slice(0, colon) : named;
  const tag = hasTag ? named.slice(colon + 1) : digest === '' ? 'latest' : '';
  const bad = 'invalid reference format';
  if (digest !== '' && !digestPattern.test(digest)) return bad;
  if (at >= 0 && digest === '') return bad;
  if (hasTag && !tagPattern.test(tag)) return bad;
  const slash = path.indexOf('/');
  const first = slash < 0 ? '' : path.slice(0, slash);
  const hasHost = first !== '' && (first.includes('.') || first.includes(':') || first === 'localhost' || first.toLowerCase() !== first);
  const host = hasHost ? first : 'docker.io';
  const rest = hasHost ? path.slice(slash + 1) : path;
  if (!hostPattern.test(host)) return bad;
  if (rest !== rest.toLowerCase()) return `${bad}: repository name (${rest}) must be lowercase`;
  if (!rest.split('/').every((part) => component.test(part))) return bad;
  const repository = `${host}/${host === 'docker.io' && !rest.includes('/') ? `library/${rest}` : rest}`;
  const full = digest === '' ? `${repository}:${tag}` : `${repository}@${digest}`;
  return { host, repository, tag, digest, full };
}
