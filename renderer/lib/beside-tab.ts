/** Which tab arrows lead to from one: they go round. Undefined for other keys. */
export function besideTab<T>(key: string, tabs: readonly T[], one: T): T | undefined {
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  return step === 0 ? undefined : tabs[(tabs.indexOf(one) + step + tabs.length) % tabs.length];
}
