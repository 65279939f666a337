/** Authorities that a signer's certificates go back to. Mirrors pkg/apis/certificates/validation: ClusterTrustBundles. */
import type { ClusterTrustBundle } from '../../../api/certificates/v1beta1/types.gen.ts';
import { type FieldErrorList, invalid, metaPlace, tooLong } from '../../../apimachinery/field-errors.ts';
import { readPem, type PemBlock } from '../../../apimachinery/pem.ts';
import { isDNS1123Subdomain, validateImmutableField } from '../../../apimachinery/validation.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateSignerName } from '../v1/request-validation.ts';

type Context = Pick<StrategyContext, 'certificates'>;

const bundleBytesMax = 1024 * 1024;
const bundlePath = specPath.child('trustBundle');
/** What is shown in place of a bundle. */
const omitted = '<value omitted>';

/** A name begins with the signer, where there is one. */
export function trustBundleNameFaults(name: string, { spec }: ClusterTrustBundle): readonly string[] {
  const signerName = spec?.signerName ?? '';
  if (signerName === '')
    return name.includes(':') ? ['ClusterTrustBundle without signer name must not have ":" in its name'] : isDNS1123Subdomain(name);
  const prefix = `${signerName.replaceAll('/', ':')}:`;
  return name.startsWith(prefix)
    ? isDNS1123Subdomain(name.slice(prefix.length))
    : [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}

export function validateTrustBundle({ spec }: ClusterTrustBundle, context: Context): FieldErrorList {
  const out: Faults = [];
  if (spec?.signerName) validateSignerName(spec.signerName, out);
  validateAnchors(spec?.trustBundle ?? '', context, out);
  return out;
}

/** A bundle that stays is not read again. */
export function validateTrustBundleUpdate(next: ClusterTrustBundle, old: ClusterTrustBundle, context: Context): FieldErrorList {
  const out: Faults = [];
  const signerName = next.spec?.signerName ?? '';
  if (signerName !== '') validateSignerName(signerName, out);
  if (next.spec?.trustBundle !== old.spec?.trustBundle) validateAnchors(next.spec?.trustBundle ?? '', context, out);
  return [...out, metaPlace, ...validateImmutableField(signerName, old.spec?.signerName ?? '', specPath.child('signerName'))];
}

function validateAnchors(bundle: string, context: Context, out: Faults): void {
  const bytes = new TextEncoder().encode(bundle);
  if (bytes.length > bundleBytesMax) return void out.push(tooLong(bundlePath, bundleBytesMax));
  const { blocks } = readPem(bytes.length === bundle.length ? bundle : latin1(bytes));
  const places = new Map<string, number[]>();
  const before = out.length;
  for (const [index, block] of blocks.entries()) {
    const fault = anchorFault(block, context);
    if (fault !== undefined) out.push(invalid(bundlePath, omitted, `entry ${index} ${fault}`));
    else {
      const key = latin1(block.bytes);
      const indices = places.get(key);
      if (indices === undefined) places.set(key, [index]);
      else indices.push(index);
    }
  }
  // Of bundles with something malformed no more is told.
  if (out.length > before) return;
  if (places.size === 0) out.push(invalid(bundlePath, omitted, 'at least one trust anchor must be provided'));
  for (const indices of places.values())
    if (indices.length > 1) out.push(invalid(bundlePath, omitted, `duplicate trust anchor (indices [${indices.join(' ')}])`));
}

function anchorFault({ type, hasHeaders, bytes }: PemBlock, { certificates }: Context): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  if (certificates === undefined) return undefined;
  if (certificates.certificateFault(bytes) !== undefined) return 'does not parse as X.509';
  return certificates.isAuthority(bytes) ? undefined : 'does not have the CA bit set';
}

/** Bytes as characters. */
function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
