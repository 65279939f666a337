/** Keys of the binder's queue: claims and volumes share it, so that one worker binds one pair after the other. */
const claimPrefix = 'claim/';
const volumePrefix = 'volume/';

export function claimKey(namespace: string, name: string): string {
  return `${claimPrefix}${namespace}/${name}`;
}

export function volumeKey(name: string): string {
  return `${volumePrefix}${name}`;
}

/** The namespace is undefined for a volume. */
export function readKey(key: string): { readonly namespace: string | undefined; readonly name: string } {
  if (key.startsWith(volumePrefix)) return { namespace: undefined, name: key.slice(volumePrefix.length) };
  const slash = key.indexOf('/', claimPrefix.length);
  return { namespace: key.slice(claimPrefix.length, slash), name: key.slice(slash + 1) };
}
