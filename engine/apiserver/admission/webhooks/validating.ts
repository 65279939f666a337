/** ValidatingAdmissionWebhook: all that are concerned are asked together. Mirrors apiserver pkg/admission/plugin/webhook/validating. */
import type { ValidatingWebhook } from '../../../api/admissionregistration/v1/types.gen.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { isExemptFromWebhooks } from '../hooks/matching.ts';
import type { Placed, WatchedObjects } from '../hooks/sources.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { answersInTime, CallFailure } from './calls.ts';
import { callingFailed, count, denial, heard, prepare, type WebhookTools } from './verdict.ts';
import { invocationOf, layeredHooks, Versions } from './webhooks.ts';

const failedOpenPrefix = 'failed-open.validating.webhook.admission.k8s.io/';

export function createValidatingWebhooks(configurations: Placed<WatchedObjects>, tools: WebhookTools): AdmissionPlugin {
  const hooks = layeredHooks<ValidatingWebhook>(configurations);
  return defineAdmissionPlugin({
    name: 'ValidatingAdmissionWebhook',
    verbs: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    seesAll: true,
    validate(attributes) {
      const all = hooks.list(isExemptFromWebhooks(attributes));
      if (all.length === 0) return;
      const versions = new Versions(attributes);
      const concerned = all.flat().flatMap((one) => {
        const onExcluded = (): void => tools.metrics.excluded(one.hook.name, 'validating', attributes.verb);
        const form = invocationOf(one, attributes, (asked) => versions.in(asked), onExcluded);
        return form === undefined ? [] : [{ one, form }];
      });
      if (concerned.length === 0) return;
      const prepared = concerned.map(({ one, form }) => prepare(one, attributes, versions.in(form), tools, 'validating'));
      const answers = answersInTime(
        prepared.flatMap((entry) => ('call' in entry ? [entry.call] : [])),
        attributes,
      ).values();
      let refusal: StatusError | undefined;
      for (const [index, { one }] of concerned.entries()) {
        const entry = prepared[index] as (typeof prepared)[number];
        const answer = 'call' in entry ? answers.next().value : undefined;
        const isIgnored = one.hook.failurePolicy === 'Ignore';
        const judge = (code: number, error?: unknown): void =>
          count(tools, one.hook, 'validating', attributes, { prepared: entry, place: one.id, answer, code, error, isIgnored });
        try {
          const { isAllowed, result } = heard(entry, answer, one, attributes, 'validating');
          if (!isAllowed) throw denial(one.hook.name, result);
          judge(200);
        } catch (error) {
          if (error instanceof CallFailure) {
            judge(error.code, error);
            if (isIgnored) attributes.annotate(`${failedOpenPrefix}round_0_index_${index}`, one.hook.name);
            else refusal ??= callingFailed(one.hook.name, error);
          } else if (error instanceof StatusError) {
            judge(error.status.code, error);
            refusal ??= error;
          } else throw error;
        }
      }
      if (refusal !== undefined) throw refusal;
    },
  });
}
