/** What a signing request may say, and what may become of it. Mirrors pkg/apis/certificates/validation. */
import type { CertificateSigningRequest } from '../../../api/certificates/v1/types.gen.ts';
import {
  duplicate,
  evenEmpty,
  type FieldErrorList,
  forbidden,
  invalid,
  notSupported,
  required,
  root,
  tooLong,
} from '../../../apimachinery/field-errors.ts';
import { readPem } from '../../../apimachinery/pem.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { byteLength, isDNS1123Label, isDNS1123Subdomain } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { JsonValue } from '../../../base/json.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { internalValue } from '../../../apimachinery/internal-value.ts';
import { repeatsOf } from '../../../base/repeats.ts';
import { jsonDiff } from '../../shared/json-diff.ts';
import { specPath } from '../../shared/strategy.ts';

type Request = CertificateSigningRequest;
export type Conditions = NonNullable<NonNullable<Request['status']>['conditions']>;
type Context = Pick<StrategyContext, 'ratcheted' | 'certificates'>;

export const verdicts: readonly string[] = ['Approved', 'Denied'];
/** Conditions that are true or not there. */
const trueOnly: readonly string[] = [...verdicts, 'Failed'];
const expirationMin = 600;
const legacySigner = 'kubernetes.io/legacy-unknown';
const usagesPath = specPath.child('usages');
const conditionsPath = root('status').child('conditions');
const knownUsages: ReadonlySet<string> = new Set([
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]);

/** What a way of writing may change. */
interface Permission {
  readonly verdicts?: true;
  readonly certificate?: true;
}

/** `old` is what an update changes: what is wrong in it already stays. */
export function validateRequest({ spec, status }: Request, context: Context, old?: Request): FieldErrorList {
  const out: Faults = [];
  const { request, signerName = '', usages = [], expirationSeconds } = spec ?? {};
  const wrong = old === undefined || old.spec?.request !== request ? requestFault(request ?? '', context) : undefined;
  if (wrong !== undefined) out.push(invalid(specPath.child('request'), request ?? null, wrong));
  // The spec of an old one is never changed.
  if (old === undefined) validateUsages(usages, out);
  const signerPath = specPath.child('signerName');
  if (old === undefined && signerName === legacySigner && context.ratcheted('NamedSigners'))
    out.push(invalid(signerPath, signerName, 'the legacy signerName is not allowed via this API version'));
  else validateSignerName(signerName, out);
  if (expirationSeconds !== undefined && expirationSeconds < expirationMin)
    out.push(invalid(specPath.child('expirationSeconds'), expirationSeconds, 'may not specify a duration less than 600 seconds (10 minutes)'));
  validateConditions(status?.conditions ?? [], old?.status?.conditions ?? [], out);
  const isKept = status?.certificate === old?.status?.certificate || certificateFault(old?.status?.certificate, context) !== undefined;
  const fault = isKept ? undefined : certificateFault(status?.certificate, context);
  if (fault !== undefined) out.push(invalid(root('status').child('certificate'), '<certificate data>', fault));
  return out;
}

export function validateRequestUpdate(next: Request, old: Request, context: Context, may: Permission = {}): FieldErrorList {
  const out: Faults = [...validateRequest(next, context, old)];
  for (const type of trueOnly)
    if (ofType(next, type).length < ofType(old, type).length)
      out.push(forbidden(conditionsPath, `updates may not remove a condition of type ${goQuote(type)}`));
  if (may.verdicts === undefined) for (const type of verdicts) keepVerdict(ofType(next, type), ofType(old, type), type, out);
  const [now = '', before = ''] = [next.status?.certificate ?? '', old.status?.certificate ?? ''];
  if (now !== before) {
    const path = root('status').child('certificate');
    if (may.certificate === undefined) out.push(forbidden(path, 'updates may not set certificate content'));
    else if (before !== '') out.push(forbidden(path, 'updates may not modify existing certificate content'));
  }
  return out;
}

function internalConditions(conditions: Conditions): JsonValue {
  return conditions.map((condition) => internalValue('certificates.v1.CertificateSigningRequestCondition', condition as unknown as JsonValue));
}

function keepVerdict(now: Conditions, before: Conditions, type: string, out: Faults): void {
  if (now.length > before.length) out.push(forbidden(conditionsPath, `updates may not add a condition of type ${goQuote(type)}`));
  else if (now.length === before.length && !semanticEqual(now, before)) {
    const difference = jsonDiff(internalConditions(before), internalConditions(now));
    out.push(forbidden(conditionsPath, `updates may not modify a condition of type ${goQuote(type)}\n${difference}`));
  }
}

export function ofType({ status }: Request, type: string): Conditions {
  return (status?.conditions ?? []).filter((condition) => condition.type === type);
}

function validateUsages(usages: readonly string[], out: Faults): void {
  if (usages.length === 0) out.push(evenEmpty(required(usagesPath)));
  for (const [index, usage] of usages.entries()) if (!knownUsages.has(usage)) out.push(notSupported(usagesPath.index(index), usage, knownUsages));
  for (const index of repeatsOf(usages)) out.push(duplicate(usagesPath.index(index), usages[index]));
}

const domainBytesMax = 253;
/** A domain, and a label before another. */
const signerBytesMax = domainBytesMax + 1 + 63 + 1 + domainBytesMax;

export function validateSignerName(name: string, out: Faults): void {
  const path = specPath.child('signerName');
  if (name === '') {
    out.push(required(path));
    return;
  }
  const [domain = '', signer = '', ...rest] = name.split('/');
  if (rest.length > 0 || !name.includes('/')) {
    out.push(invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"));
    return;
  }
  const labels = domain.split('.');
  if (byteLength(domain) > domainBytesMax) out.push(tooLong(path, domainBytesMax));
  faultsOfFirst(labels, isDNS1123Label).forEach((fault) => out.push(invalid(path, domain, fault)));
  if (labels.length < 2) out.push(invalid(path, domain, 'should be a domain with at least two segments separated by dots'));
  faultsOfFirst(signer.split('.'), isDNS1123Subdomain).forEach((fault) => out.push(invalid(path, signer, fault)));
  if (byteLength(name) > signerBytesMax) out.push(tooLong(path, signerBytesMax));
}

/** What is wrong with the first label that is wrong. */
function faultsOfFirst(labels: readonly string[], faultsOf: (label: string) => readonly string[]): readonly string[] {
  const wrong = labels.find((label) => faultsOf(label).length > 0);
  return wrong === undefined ? [] : faultsOf(wrong).map((fault) => `validating label ${goQuote(wrong)}: ${fault}`);
}

function validateConditions(conditions: Conditions, before: Conditions, out: Faults): void {
  const isJudgedTwice = verdicts.every((type) => before.some((condition) => condition.type === type));
  const hadTwice = repeatsOf(before.map(({ type }) => type)).size > 0;
  const hadEmpty = before.some(({ type }) => type === '');
  const earlier = new Set<string | undefined>();
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const path = conditionsPath.index(index);
    if (type === '' && !hadEmpty) out.push(required(path.child('type')));
    const allowed = trueOnly.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status === '') out.push(required(path.child('status')));
    else if (!allowed.includes(status)) out.push(notSupported(path.child('status'), status, allowed));
    const isVerdict = verdicts.includes(type);
    if (isVerdict && !isJudgedTwice && verdicts.some((other) => other !== type && earlier.has(other)))
      out.push(invalid(conditionsPath, type, 'Approved and Denied conditions are mutually exclusive'));
    if (!hadTwice && earlier.has(type)) out.push(duplicate(path.child('type'), type));
    earlier.add(conditions[index]?.type);
  }
}

/** Why a request cannot be taken. */
function requestFault(base64: string, { certificates }: Context): string | undefined {
  const [block] = readPem(atob(base64)).blocks;
  return block?.type === 'CERTIFICATE REQUEST' ? certificates?.requestFault(block.bytes) : 'PEM block type must be CERTIFICATE REQUEST';
}

function certificateFault(base64: string | undefined, { certificates }: Context): string | undefined {
  if (!base64) return undefined;
  const { blocks } = readPem(atob(base64));
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    const fault = certificates?.certificateFault(bytes);
    // What trails is read as a further certificate, here alone.
    if (fault !== undefined) return fault === 'x509: trailing data' ? 'x509: malformed certificate' : fault;
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}
