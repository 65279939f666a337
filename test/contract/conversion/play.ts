/** Plays the cases before an API server, and makes what it answered comparable. */
import { comparable } from '../webhooks/play.ts';
import type { Answered, Send } from '../webhooks/play.ts';
import type { ConversionCase, Step } from './cases.ts';
import type { ConversionServer } from './server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** `settle` waits until the server has heard of the definition. */
export async function play(one: ConversionCase, send: Send, server: ConversionServer, settle: () => Promise<void>): Promise<readonly Answered[]> {
  const group = `${one.name}.example.com`;
  const definition = `${definitions}/widgets.${group}`;
  await mustSend(send, { method: 'POST', path: definitions, body: definitionOf(group, server) });
  await settle();
  const answers: Answered[] = [];
  for (const { mood, webhook, method, path, body, contentType, isUntold } of one.steps) {
    if (mood !== undefined || webhook !== undefined) {
      const change = { spec: { conversion: { webhook: { clientConfig: mood === undefined ? {} : { url: `HOOK${mood}` } } } } };
      const merged = { ...change.spec.conversion.webhook, ...webhook };
      const patch = { spec: { conversion: { webhook: filledIn(merged, group, server) } } };
      await mustSend(send, { method: 'PATCH', path: definition, body: patch, contentType: 'application/merge-patch+json' });
      await settle();
    }
    if (method === undefined || path === undefined) continue;
    const {
      code,
      body: answer,
      warnings,
    } = await send({
      method,
      path: `/apis/${group}/${path}`,
      ...(body === undefined ? {} : { body: filledIn(body, group, server) }),
      ...(contentType === undefined ? {} : { contentType }),
    });
    if (isUntold !== true) answers.push({ code, body: withoutOwners(comparable(answer, server.port)), warnings });
  }
  await send({ method: 'DELETE', path: definition });
  return answers;
}

/** Fields of managers in other versions are not converted here, which docs/differences.md lists; a time is each server's own. */
function withoutOwners(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwners);
  // Whether it has found out by then why it is not ready.
  if (typeof value === 'string') return value.replace(/(?<=^storage is \(re\)initializing).*/s, '').replace(/(?<=is missing in ').*/s, '');
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== 'managedFields');
  return Object.fromEntries(entries.map(([key, inner]) => [key, isOwn(key, inner) ? `<${key}>` : withoutOwners(inner)]));
}

/** A time, and where a list goes on, are each server's own. */
function isOwn(key: string, value: unknown): boolean {
  return key === 'deletionTimestamp' || (key === 'continue' && value !== '');
}

async function mustSend(send: Send, request: Parameters<Send>[0]): Promise<void> {
  const { code, body } = await send(request);
  if (code >= 300) throw new Error(`${request.path}: ${JSON.stringify(body)}`);
}

function filledIn<T>(body: T, group: string, { port, caBundle, otherCaBundle }: ConversionServer): T {
  const text = JSON.stringify(body)
    .replaceAll('GROUP', group)
    .replaceAll('HOOK', `https://127.0.0.1:${port}`)
    .replaceAll('"OTHERCA"', JSON.stringify(otherCaBundle))
    .replaceAll('"CA"', JSON.stringify(caBundle));
  return JSON.parse(text) as T;
}

export function definitionOf(group: string, server: ConversionServer): object {
  const text = { type: 'string' };
  const number = { type: 'integer' };
  const version = (name: string, own: object, size: object): object => ({
    name,
    served: true,
    storage: name === 'v1',
    subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { ...own, size } },
          status: { type: 'object', properties: { phase: text, size: number } },
        },
      },
    },
  });
  const conversion = {
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1', 'v1beta1'], clientConfig: { url: 'HOOK/convert', caBundle: 'CA' } },
  };
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const versions = [
    version('v1', { host: text, port: number }, number),
    version('v2', { address: text }, { ...number, maximum: 100 }),
    version('v3', { at: { type: 'object', properties: { host: text, port: number } } }, { ...number, default: 1 }),
  ];
  const spec = { group, scope: 'Namespaced', names, versions, conversion };
  return filledIn(
    { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `widgets.${group}` }, spec },
    group,
    server,
  );
}

export type { Step };
