/** Admission of connections: exec, attach, port-forward, proxies. Mirrors ConnectResource of apiserver pkg/endpoints/handlers/rest.go. */
import { newInternalError } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { FieldSchema } from '../../apimachinery/schema.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { Random } from '../../base/random.ts';
import type { Ask } from '../../contracts/questions.ts';
import type { ApiRequest } from '../../contracts/request.ts';
import type { Parameters, RestStorage } from '../../contracts/rest-storage.ts';
import { RequestTime } from '../../contracts/request-time.ts';
import { type Core, storedUnder } from '../../registry/core.ts';
import type { AdmissionAttributes, AdmissionChain } from '../admission.ts';
import { createObjectForms } from './object-forms.ts';

/** What a connection changes comes later: it is no attempt, and begins again with the answers to what it asks. */
export interface ConnectCircumstances {
  readonly ask: Ask;
  /** Tells the request from every other. */
  readonly id: string;
  isFirst(what: string): boolean;
  annotate(key: string, value: string): void;
  warn(text: string): void;
}

export interface Connect {
  readonly request: ApiRequest;
  readonly storage: RestStorage;
  readonly parameters: Parameters;
}

/** Throws StatusError. */
export function admitConnect(
  core: Core,
  chain: AdmissionChain,
  { request, storage, parameters }: Connect,
  circumstances: ConnectCircumstances,
): void {
  const { kind, body } = storage;
  const resource = core.table.find(kind.group, kind.version, kind.plural);
  // Logs are read, not connected to.
  if (resource === undefined || !body.foreign) return;
  const { access } = core.dependencies;
  const random = new Random(Number.parseInt(circumstances.id.replaceAll('-', '').slice(0, 8), 16) || 0);
  const attributes: AdmissionAttributes = {
    verb: 'CONNECT',
    group: kind.group,
    version: kind.version,
    kind: body.kind,
    resource: kind.plural,
    subresource: storage.subresource,
    namespace: request.namespace ?? '',
    name: request.name ?? '',
    object: { kind: body.kind, apiVersion: body.apiVersion, ...optionsOf(body.schema.fields, parameters) } as unknown as KubeObject,
    oldObject: undefined,
    options: {},
    operationOptions: undefined,
    identity: request.identity,
    dryRun: false,
    time: new RequestTime(),
    forms: createObjectForms(core, resource, body),
    stored: (prefix) => storedUnder(core.view, prefix),
    random: (name) => random.stream(name),
    ask: circumstances.ask,
    askAll: (questions) => questions.map(circumstances.ask),
    authorize: (identity, asked) => access?.authorize(identity, asked, circumstances.ask) ?? { allowed: true, reason: '' },
    lookup: (group, plural, namespace, name) => core.lookup(group, plural, namespace, name),
    updateStatus: (_group, plural) => {
      throw newInternalError(`a connection does not write ${plural}`);
    },
    create: (_group, plural) => {
      throw newInternalError(`a connection does not create ${plural}`);
    },
    warn: circumstances.warn,
    annotate: circumstances.annotate,
    // It writes nothing.
    whenKept: () => undefined,
    isFirst: circumstances.isFirst,
  };
  const admitted = chain.admit(attributes);
  chain.validate({ ...attributes, object: admitted });
}

/** The options of a connection are its query. */
function optionsOf(fields: readonly FieldSchema[], parameters: Parameters): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, card, type }): readonly (readonly [string, JsonValue])[] => {
      if (!parameters.has(name)) return [];
      const [first = '', ...more] = parameters.getAll(name);
      if (card === 'list') return [[name, type === 'string' ? [first, ...more] : [first, ...more].flatMap((text) => text.split(',').map(Number))]];
      if (type === 'bool') return first === '' || first === 'false' || first === '0' ? [] : [[name, true]];
      return first === '' ? [] : [[name, first]];
    }),
  );
}
