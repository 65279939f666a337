/** Deals each flow a hand of queues, so that a busy flow shares few of another's. Mirrors apiserver pkg/util/shufflesharding. */

/** FNV-1a of 64 bits. */
export function flowHash(schema: string, distinguisher: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${schema}\n${distinguisher}`)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

/** Distinct numbers below `deck`. */
export function deal(hash: bigint, deck: number, handSize: number): readonly number[] {
  const remainders: number[] = [];
  let rest = hash;
  for (let dealt = 0; dealt < handSize; dealt++) {
    const left = BigInt(deck - dealt);
    remainders.push(Number(rest % left));
    rest /= left;
  }
  return remainders.map((remainder, index) => {
    let card = remainder;
    for (let earlier = index; earlier > 0; earlier--) if (card >= (remainders[earlier - 1] as number)) card++;
    return card;
  });
}
