import { describe, expect, it } from 'vitest';
import { goQuantityBody } from './go-quantity.ts';

function body(value: string, scale: number, text: string, format: string): string {
  return `{i:(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}`;
}

describe('a quantity as Go prints it', () => {
  it.each([
    ['0', body('0', 0, '0', 'DecimalSI')],
    ['100m', body('100', -3, '100m', 'DecimalSI')],
    ['-5', body('-5', 0, '-5', 'DecimalSI')],
    ['64Mi', body('67108864', 0, '', 'BinarySI')],
    ['129Mi', body('135266304', 0, '129Mi', 'BinarySI')],
    ['5e3', body('5', 3, '5e3', 'DecimalExponent')],
    ['12E', body('12', 18, '12E', 'DecimalSI')],
  ])('%s fits the short form', (text, want) => {
    expect(goQuantityBody(text)).toBe(want);
  });

  it('has words of 64 bits where it does not fit', () => {
    expect(goQuantityBody('1234567890123456789')).toContain(
      'd:(resource.infDecAmount){Dec:(*inf.Dec){unscaled:(big.Int){neg:(bool)false abs:(big.nat)[7888470988684038656 66926059]} scale:(inf.Scale)9}} s:(string) ',
    );
  });
});
