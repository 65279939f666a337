/**
 * What is wrong with a certificate that a kubelet asks for. Mirrors pkg/apis/certificates/validation: PodCertificateRequests.
 */
import type { PodCertificateRequest, PodCertificateRequestStatus } from '../../../api/certificates/v1beta1/types.gen.ts';
import {
  type FieldErrorList,
  forbidden,
  invalid,
  invalidUnshown,
  notSupportedOf,
  required,
  root,
  tooLong,
} from '../../../apimachinery/field-errors.ts';
import {
  isDNS1123Subdomain,
  isQualifiedName,
  totalAnnotationSizeLimit,
  byteLength,
  validateConditions,
  validateImmutableField,
} from '../../../apimachinery/validation.ts';
import { decodeBase64 } from '../../../base/base64.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { issuedFaults } from './issued-certificate-validation.ts';
import { validateSignerName } from '../v1/request-validation.ts';

const uidMax = 128;
const bytesMax = 10 * 1024;
const secondsMin = 3600;
const daySeconds = 24 * 3600;
const statusPath = root('status');
const conditionsPath = statusPath.child('conditions');
/** What is said of a request that can be read and is not signed with its key. */
const isOfSignature = /verif|insecure|signature algorithm specifies/;
const ends = ['Issued', 'Denied', 'Failed'];

type Spec = NonNullable<PodCertificateRequest['spec']>;
type Context = Pick<StrategyContext, 'certificates'>;

export function validatePodRequest({ spec }: PodCertificateRequest, context: Context): FieldErrorList {
  const out: Faults = [];
  if (spec === undefined) return out;
  validateSignerName(spec.signerName, out);
  validateAnnotations(spec.unverifiedUserAnnotations, out);
  for (const [name, uid] of [
    ['podName', 'podUID'],
    ['serviceAccountName', 'serviceAccountUID'],
    ['nodeName', 'nodeUID'],
  ] as const) {
    // biome-ignore format: a table
    for (const fault of isDNS1123Subdomain(spec[name])) out.push(invalid(specPath.child(name), spec[name], fault));
    if (spec[uid] === '') out.push(invalid(specPath.child(uid), '', 'must not be empty'));
    if (byteLength(spec[uid]) > uidMax) out.push(tooLong(specPath.child(uid), uidMax));
  }
  if (validateSeconds(spec, out)) validateKey(spec, context, out);
  return out;
}

function validateAnnotations(annotations: Spec['unverifiedUserAnnotations'], out: Faults): void {
  const path = specPath.child('unverifiedUserAnnotations');
  const entries = Object.entries(annotations ?? {});
  for (const [name] of entries) {
    const key = name.toLowerCase();
    const faults = isQualifiedName(key);
    if (key === '') out.push(required(path));
    else if (faults.length > 0) out.push(...faults.map((fault) => invalid(path, key, fault)));
    else if (!key.includes('/')) out.push(invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")'));
  }
  if (entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0) > totalAnnotationSizeLimit)
    out.push(tooLong(path, totalAnnotationSizeLimit));
}

/** False where nothing is said, and no more is looked at. */
function validateSeconds({ signerName, maxExpirationSeconds: seconds }: Spec, out: Faults): boolean {
  const path = specPath.child('maxExpirationSeconds');
  if (seconds === undefined || seconds === null) {
    out.push(required(path, 'must be set'));
    return false;
  }
  const [domain = ''] = signerName.split('/');
  const max = domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io') ? daySeconds : 91 * daySeconds;
  if (seconds < secondsMin || seconds > max) out.push(invalid(path, seconds, `must be in the range [${secondsMin}, ${max}]`));
  return true;
}

/** A request, or a key with the proof that it is held. */
function validateKey(spec: Spec, { certificates }: Context, out: Faults): void {
  const [stub, key, proof] = [spec.stubPKCS10Request ?? '', spec.pkixPublicKey ?? '', spec.proofOfPossession ?? ''];
  const path = specPath.child('stubPKCS10Request');
  if (stub !== '' && key === '' && proof === '') {
    const bytes = decodeBase64(stub);
    if (bytes.length > bytesMax) return void out.push(tooLong(path, bytesMax));
    const fault = certificates?.requestFault(bytes);
    if (fault !== undefined && !isOfSignature.test(fault)) return void out.push(invalidUnshown(path, 'must be a valid PKCS#10 CSR'));
    const wrong = certificates?.requestKeyFault(bytes);
    if (wrong !== undefined) out.push(wrong.shown === undefined ? invalidUnshown(path, wrong.text) : invalid(path, wrong.shown, wrong.text));
    else if (fault !== undefined) out.push(invalidUnshown(path, 'invalid signature'));
    return;
  }
  if (stub !== '' || key === '' || proof === '')
    return void out.push(invalidUnshown(specPath, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'));
  for (const [name, text] of [['pkixPublicKey', key], ['proofOfPossession', proof]] as const) // biome-ignore format: short
    if (decodeBase64(text).length > bytesMax) return void out.push(tooLong(specPath.child(name), bytesMax));
  const signed = new TextEncoder().encode(spec.podUID);
  const fault = certificates?.keyFault({ key: decodeBase64(key), proof: decodeBase64(proof), signed });
  if (fault?.of === 'key') out.push(invalid(specPath.child('pkixPublicKey'), fault.shown ?? key, fault.text));
  if (fault?.of === 'proof') out.push(invalidUnshown(specPath.child('proofOfPossession'), fault.text));
}

export function validatePodRequestUpdate(next: PodCertificateRequest, old: PodCertificateRequest): FieldErrorList {
  return validateImmutableField(next.spec, old.spec, specPath);
}

/** Who changes anything must be allowed to sign for the signer. */
export function validatePodRequestStatus(next: PodCertificateRequest, old: PodCertificateRequest, context: StrategyContext): FieldErrorList {
  const [after, before] = [next.status ?? {}, old.status ?? {}];
  const faults = statusFaults(after, before, old.spec, context);
  const signerName = old.spec?.signerName ?? '';
  if (faults.length > 0 || semanticEqual(after, before) || maySign(context, signerName)) return faults;
  return [
    forbidden(specPath.child('signerName'), `User ${goQuote(context.identity.name)} is not permitted to "sign" for signer ${goQuote(signerName)}`),
  ];
}

function maySign({ access, identity }: StrategyContext, signerName: string): boolean {
  const asked = {
    verb: 'sign',
    isResource: true,
    path: '',
    group: 'certificates.k8s.io',
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
  };
  const names = [signerName, `${signerName.split('/')[0]}/*`];
  return access === undefined || names.some((name) => access.authorize(identity, { ...asked, name }).allowed);
}

function statusFaults(
  after: PodCertificateRequestStatus,
  before: PodCertificateRequestStatus,
  spec: Spec | undefined,
  context: StrategyContext,
): FieldErrorList {
  const faults = conditionFaults(after);
  if (faults.length > 0) return faults;
  const unless = (same: boolean, text: string): FieldErrorList => (same ? [] : [invalidUnshown(statusPath, text)]);
  if (endOf(before) !== undefined) return unless(semanticEqual(after, before), 'immutable after PodCertificateRequest is issued, denied, or failed');
  const { conditions: _, ...others } = after;
  const end = endOf(after);
  if (end === 'Denied' || end === 'Failed')
    return unless(Object.keys(others).length === 0, 'non-condition status fields must be empty when denying or failing the PodCertificateRequest');
  if (end === undefined) return unless(semanticEqual(after, before), 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
  return issuedFaults(after, spec, context);
}

/** One of the known ends at most, which is true. */
function conditionFaults({ conditions = [] }: PodCertificateRequestStatus): FieldErrorList {
  const out: Faults = [];
  let known = 0;
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const path = statusPath.child('conditions', `[${index}]`);
    if (!ends.includes(type)) {
      out.push(notSupportedOf(path.child('type'), type, ends));
      continue;
    }
    known += 1;
    if (known > 1) out.push(invalid(path.child('type'), type, 'There may be at most one condition with type "Issued", "Denied", or "Failed"'));
    if (status !== 'True') out.push(notSupportedOf(path.child('status'), status, ['True']));
  }
  return [...out, ...validateConditions(conditions, conditionsPath)];
}

function endOf({ conditions = [] }: PodCertificateRequestStatus): string | undefined {
  return ends.find((end) => conditions.some(({ type, status }) => type === end && status === 'True'));
}
