/** Addresses of endpoints that cannot be. Mirrors ValidateEndpointIP of pkg/apis/core/validation. */
import { type FieldError, type FieldErrorList, type FieldPath, invalid } from '../../apimachinery/field-errors.ts';
import type { ParsedIP } from '../../apimachinery/ip.ts';

/** Addresses to which nothing can be sent from another machine. */
export function specialFaults({ family, bytes }: ParsedIP, text: string, path: FieldPath): FieldErrorList {
  const [first = 0, second = 0, third = 0] = bytes;
  const isZeroUpTo = (end: number): boolean => bytes.slice(0, end).every((byte) => byte === 0);
  const out: FieldError[] = [];
  if (isZeroUpTo(bytes.length)) out.push(invalid(path, text, `may not be unspecified (${text})`));
  if (family === 4 ? first === 127 : isZeroUpTo(15) && bytes[15] === 1)
    out.push(invalid(path, text, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
  if (family === 4 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80)
    out.push(invalid(path, text, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'));
  if (family === 4 ? first === 224 && second === 0 && third === 0 : first === 0xff && (second & 0x0f) === 0x02)
    out.push(invalid(path, text, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'));
  return out;
}
