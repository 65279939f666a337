/** A webhook that looks at the images of pods. Mirrors plugin/pkg/admission/imagepolicy. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { newForbidden } from '../../../apimachinery/errors.ts';
import { formatDuration } from '../../../apimachinery/time.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { subjectOf } from '../asked-about.ts';
import { type Asked, CallFailure, fieldFault, reviewQuestion, type StatusReview, statusIn } from '../../auth/review-webhook.ts';
import { ConfigurationFault, Fields } from '../../configuration-reader.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

/** Not upstream's: where the host writes what the kubeconfig lacks. */
export const kubeconfigFaultField = 'kubeConfigFault';

export interface ImagePolicy {
  /** Path on the host. */
  readonly kubeconfig: string;
  /** Why nobody can be reached by it; empty for nothing. */
  readonly kubeconfigFault: string;
  /** Virtual time for which a yes and a no count; 0 for none. */
  readonly allowMs: number;
  readonly denyMs: number;
  /** Wall time before the second try. */
  readonly backoffMs: number;
  readonly defaultAllow: boolean;
}

const secondMs = 1_000;
const halfHourMs = 1_800_000;

/** Undefined where nothing is configured. Throws ConfigurationFault. */
export function readImagePolicy(document: JsonObject | undefined): ImagePolicy | undefined {
  if (document === undefined) return undefined;
  const given = new Fields(document, '').fields('imagePolicy');
  return {
    kubeconfig: given.text('kubeConfigFile'),
    kubeconfigFault: given.text(kubeconfigFaultField),
    backoffMs: within(given.integer('retryBackoff') ?? 0, 1, 500, [1e-6, 300_000]),
    allowMs: within(given.integer('allowTTL') ?? 0, secondMs, 300_000, [secondMs, halfHourMs]),
    denyMs: within(given.integer('denyTTL') ?? 0, secondMs, 30_000, [secondMs, halfHourMs]),
    defaultAllow: given.boolean('defaultAllow') ?? false,
  };
}

/** Nothing is the default, -1 none at all. */
function within(value: number, scaleMs: number, standardMs: number, [minMs, maxMs]: readonly [number, number]): number {
  if (value === -1) return 0;
  if (value === 0) return standardMs;
  const ms = value * scaleMs;
  if (ms >= minMs && ms <= maxMs) return ms;
  const least = minMs < 1 ? '1ns' : formatDuration(minMs);
  throw new ConfigurationFault(`valid value is between ${least} and ${formatDuration(maxMs)}, got ${formatDuration(ms)}`);
}

const form: StatusReview = {
  group: 'imagepolicy.k8s.io',
  kind: 'ImageReview',
  emptyStatus: { allowed: false },
  typeFault: (status, version) =>
    fieldFault(status, { holder: 'ImageReview', path: 'status', type: 'ImageReviewStatus' }, version, {
      ...{ allowed: 'flag', reason: 'text', auditAnnotations: 'texts by name' },
    }),
};

const prefix = 'imagepolicywebhook.image-policy.k8s.io/';
const mark = '.image-policy.k8s.io/';
const timeoutMs = 30_000;
const containerLists = { '': ['containers', 'initContainers'], ephemeralcontainers: ['ephemeralContainers'] } as const;

export function createImagePolicyWebhook(policy: ImagePolicy): AdmissionPlugin {
  const { kubeconfig, allowMs, denyMs, backoffMs, defaultAllow } = policy;
  const asked: Asked = { name: 'images', kubeconfig, form, version: 'v1alpha1', timeoutMs, backoffMs };
  return defineAdmissionPlugin({
    name: 'ImagePolicyWebhook',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    subresources: ['', 'ephemeralcontainers'],
    validate(attributes) {
      const question = reviewQuestion(asked, specOf(attributes), ({ allowed }) => (allowed === true ? allowMs : denyMs), subjectOf(attributes));
      const status = statusIn(attributes.ask(question), asked);
      if (status instanceof CallFailure) {
        if (!defaultAllow) throw refused(attributes, status.message);
        attributes.annotate(`${prefix}failed-open`, 'true');
        return;
      }
      const { allowed, reason, auditAnnotations } = status;
      for (const [key, value] of Object.entries(isObject(auditAnnotations) ? auditAnnotations : {}))
        attributes.annotate(`${prefix}${key}`, typeof value === 'string' ? value : '');
      if (allowed === true) return;
      const isSaid = typeof reason === 'string' && reason !== '';
      throw refused(
        attributes,
        isSaid ? `image policy webhook backend denied one or more images: ${reason}` : 'one or more images rejected by webhook backend',
      );
    },
  });
}

function refused({ group, resource, name }: AdmissionAttributes, why: string): Error {
  return newForbidden({ group, resource }, name, why);
}

function specOf({ object, subresource, namespace }: AdmissionAttributes): JsonObject {
  const { metadata, spec } = object as Pod;
  const lists = subresource === 'ephemeralcontainers' ? containerLists.ephemeralcontainers : containerLists[''];
  const containers = lists.flatMap((list) => (spec?.[list] ?? []).map(({ image }) => (image === undefined || image === '' ? {} : { image })));
  const annotations = Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes(mark)));
  return {
    ...(containers.length === 0 ? {} : { containers }),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(namespace === '' ? {} : { namespace }),
  };
}
