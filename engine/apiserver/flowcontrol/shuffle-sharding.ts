/** Deals each flow a hand of queues, so that a busy flow shares few of another's. Mirrors apiserver pkg/util/shufflesharding. */

/** `hash` is sha256 in hexadecimal digits: of the flow's name its first eight bytes count, the lowest first. */
export function flowHash(hash: (text: string) => string, schema: string, distinguisher: string): bigint {
  const digits = hash(`${schema}\0${distinguisher}`).slice(0, 16);
  return BigInt(`0x${(digits.match(/../g) ?? []).toReversed().join('')}`);
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
