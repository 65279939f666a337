/** IPv4 addresses as numbers of a range. */
export function addressAt(first: string, offset: number): string {
  const value = numberOf(first) + offset;
  return [Math.floor(value / 2 ** 24), Math.floor(value / 2 ** 16) & 255, Math.floor(value / 2 ** 8) & 255, value & 255].join('.');
}

/** How far an address lies behind the first one; undefined for what is no address. */
export function offsetOf(first: string, address: string): number | undefined {
  const parts = address.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return undefined;
  return numberOf(address) - numberOf(first);
}

function numberOf(address: string): number {
  return address.split('.').reduce((total, part) => total * 256 + Number(part), 0);
}
