/** What is wrong with the certificate that a signer has issued for a pod, and with the times that it says of it. Mirrors pkg/apis/certificates/validation. */
import type { PodCertificateRequest, PodCertificateRequestStatus } from '../../../api/certificates/v1beta1/types.gen.ts';
import { type FieldErrorList, invalid, invalidUnshown, required, root, tooLong } from '../../../apimachinery/field-errors.ts';
import { isEmail } from '../../../apiextensions/schema/email.ts';
import { readPem } from '../../../apimachinery/pem.ts';
import { byteLength } from '../../../apimachinery/validation.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import type { CertificateJudge, IssuedFacts } from '../../../contracts/certificates.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { specPath } from '../../shared/strategy.ts';

type Spec = NonNullable<PodCertificateRequest['spec']>;
type Status = PodCertificateRequestStatus;

const bytesMax = 100 * 1024;
const hourMs = 3_600_000;
const minuteMs = 60_000;
/** In which Go counts. */
const nanosecondsOfMs = 1_000_000;
const status = root('status');
const chainPath = status.child('certificateChain');

/** Of a request that becomes Issued. Where nobody judges certificates (unit tests) they are not looked into. */
export function issuedFaults(after: Status, spec: Spec | undefined, { certificates, nowMs }: StrategyContext): FieldErrorList {
  const { certificateChain: chain = '' } = after;
  if (byteLength(chain) > bytesMax) return [tooLong(chainPath, bytesMax)];
  const { blocks } = readPem(chain);
  const [leaf, ...others] = blocks;
  const unlike = (text: string): FieldErrorList => [invalid(chainPath, chain, text)];
  if (leaf === undefined) return unlike('issued certificate chain must contain at least one certificate');
  if (leaf.type !== 'CERTIFICATE') return unlike('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  if (certificates?.certificateFault(leaf.bytes) !== undefined) return unlike('leaf certificate does not parse as valid X.509');
  const facts = certificates?.issued(leaf.bytes);
  const names = facts === undefined ? [] : nameFaults(facts);
  const wanted = certificates === undefined ? undefined : wantedKey(spec, certificates);
  if (wanted !== undefined && 'faults' in wanted) return [...names, ...wanted.faults];
  if (wanted !== undefined && facts !== undefined && certificates?.isSameKey(wanted.key, facts.key) === false)
    return [...names, ...unlike('leaf certificate was not issued to the requested public key')];
  const found = [...names, ...absentTimes(after)];
  if (found.length > 0 || facts === undefined) return found;
  const times = timeFaults(after, facts, nowMs, spec?.maxExpirationSeconds ?? 0);
  if (times.length > 0) return times;
  for (const { type, bytes } of others) {
    // Upstream's word.
    if (type !== 'CERTIFICATE') return unlike('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
    if (certificates?.certificateFault(bytes) !== undefined) return unlike('intermediate certificate does not parse as valid X.509');
  }
  return [];
}

function nameFaults({ dnsNames, emailAddresses }: IssuedFacts): FieldErrorList {
  const ofNames = dnsNames.flatMap((name) => [
    ...(name === '' ? [invalid(chainPath, name, 'leaf certificate should not contain empty DNSName')] : []),
    ...(name.includes('..') ? [invalid(chainPath, name, "leaf certificate's DNSName should not contain '..'")] : []),
    ...(/^\.|\.$/.test(name) ? [invalid(chainPath, name, "leaf certificate's DNSName should not start or end with '.'")] : []),
  ]);
  const unlike = emailAddresses.filter((address) => !isEmail(address));
  return [...ofNames, ...unlike.map((address) => invalid(chainPath, address, 'leaf certificate should not contain invalid EmailAddress'))];
}

function wantedKey(spec: Spec | undefined, certificates: CertificateJudge): { readonly key: Uint8Array } | { readonly faults: FieldErrorList } {
  const stub = spec?.stubPKCS10Request ?? '';
  if (stub === '') return { key: decodeBase64(spec?.pkixPublicKey ?? '') };
  const key = certificates.requestKey(decodeBase64(stub));
  return key === undefined ? { faults: [invalidUnshown(specPath.child('stubPKCS10Request'), 'must be a valid PKCS#10 CSR')] } : { key };
}

function absentTimes({ notBefore, notAfter, beginRefreshAt }: Status): FieldErrorList {
  const consistent = 'must be present and consistent with the issued certificate';
  return [
    ...(notBefore ? [] : [required(status.child('notBefore'), consistent)]),
    ...(notAfter ? [] : [required(status.child('notAfter'), consistent)]),
    ...(beginRefreshAt ? [] : [required(status.child('beginRefreshAt'), 'must be present and in the range [notbefore+10min, notafter-10min]')]),
  ];
}

/** The first of them. */
function timeFaults(
  { notBefore = '', notAfter = '', beginRefreshAt = '' }: Status,
  facts: IssuedFacts,
  nowMs: number,
  maxSeconds: number,
): FieldErrorList {
  const [from, to, refresh] = [Date.parse(notBefore), Date.parse(notAfter), Date.parse(beginRefreshAt)];
  const told = (name: 'notBefore' | 'notAfter' | 'beginRefreshAt', value: string, text: string): FieldErrorList => [
    invalid(status.child(name), value, text),
  ];
  if (from !== facts.notBeforeMs) return told('notBefore', notBefore, 'must be set to the NotBefore time encoded in the leaf certificate');
  if (Math.abs(from - nowMs) > 5 * minuteMs) return told('notBefore', notBefore, "must be set to within 5 minutes of kube-apiserver's current time");
  if (to !== facts.notAfterMs) return told('notAfter', notAfter, 'must be set to the NotAfter time encoded in the leaf certificate');
  const lifetime = facts.notAfterMs - facts.notBeforeMs;
  const long = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`;
  if (lifetime < hourMs) return [invalid(chainPath, lifetime * nanosecondsOfMs, 'leaf certificate lifetime must be >= 1 hour')];
  if (lifetime > maxSeconds * 1000) return [invalid(chainPath, lifetime * nanosecondsOfMs, long)];
  if (refresh < from + 10 * minuteMs) return told('beginRefreshAt', beginRefreshAt, 'must be at least 10 minutes after status.notBefore');
  if (refresh > to - 10 * minuteMs) return told('beginRefreshAt', beginRefreshAt, 'must be at least 10 minutes before status.notAfter');
  return [];
}
