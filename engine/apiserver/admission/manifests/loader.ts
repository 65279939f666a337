/**
 * Manifests of webhooks and policies that lie in a folder (`staticManifestsDir`). Mirrors apiserver pkg/admission/plugin/webhook/manifest/loader and
 * policy/manifest/loader, and pkg/admission/plugin/…/manifest/loader of the API server, which judges them as if they were created.
 */
import type {
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  WebhookClientConfig,
} from '../../../api/admissionregistration/v1/types.gen.ts';
import { aggregateText, root } from '../../../apimachinery/field-errors.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { SchemaRegistry } from '../../../apimachinery/schema.ts';
import { validateObjectMeta } from '../../../apimachinery/validation.ts';
import { isList } from '../../../base/json.ts';
import type { KindDefinition, StrategyContext } from '../../../contracts/kind.ts';
import { mutatingAdmissionPolicyBindingKind } from '../../../kinds/admissionregistration/v1/mutating-admission-policy-binding.ts';
import { mutatingAdmissionPolicyKind } from '../../../kinds/admissionregistration/v1/mutating-admission-policy.ts';
import { mutatingWebhookConfigurationKind } from '../../../kinds/admissionregistration/v1/mutating-webhook-configuration.ts';
import { staticNamesGate, staticSuffix } from '../../../kinds/admissionregistration/v1/static-names.ts';
import { validatingAdmissionPolicyBindingKind } from '../../../kinds/admissionregistration/v1/validating-admission-policy-binding.ts';
import { validatingAdmissionPolicyKind } from '../../../kinds/admissionregistration/v1/validating-admission-policy.ts';
import { validatingWebhookConfigurationKind } from '../../../kinds/admissionregistration/v1/validating-webhook-configuration.ts';
import { checksOfCreate, nameJudge } from '../../../registry/meta-checks.ts';
import { type DecodedManifest, goTypeOf, isGenericList, ManifestDecoder, ManifestFault } from './decoder.ts';
import { documentsOf, type ManifestFile } from './files.ts';

/** What a plugin's folder holds, in order of name. */
export interface Manifests {
  /** Configurations of webhooks, or policies. */
  readonly hooks: readonly KubeObject[];
  readonly bindings: readonly KubeObject[];
}

export type ManifestPlugin = 'MutatingAdmissionPolicy' | 'MutatingAdmissionWebhook' | 'ValidatingAdmissionPolicy' | 'ValidatingAdmissionWebhook';

interface Taken {
  readonly what: 'webhook' | 'policy';
  readonly hooks: KindDefinition;
  readonly bindings?: KindDefinition;
}

/** A kind among others, whose objects are judged by its own hooks alone. */
function ofAny<T extends KubeObject>(kind: KindDefinition<T>): KindDefinition {
  return kind as unknown as KindDefinition;
}

const taken: { readonly [plugin in ManifestPlugin]: Taken } = {
  MutatingAdmissionPolicy: {
    what: 'policy',
    hooks: ofAny(mutatingAdmissionPolicyKind),
    bindings: ofAny(mutatingAdmissionPolicyBindingKind),
  },
  MutatingAdmissionWebhook: { what: 'webhook', hooks: ofAny(mutatingWebhookConfigurationKind) },
  ValidatingAdmissionPolicy: {
    what: 'policy',
    hooks: ofAny(validatingAdmissionPolicyKind),
    bindings: ofAny(validatingAdmissionPolicyBindingKind),
  },
  ValidatingAdmissionWebhook: { what: 'webhook', hooks: ofAny(validatingWebhookConfigurationKind) },
};

export const manifestPlugins = Object.keys(taken) as readonly ManifestPlugin[];

/** What a release and its gates have to say of what manifests hold. */
export type ManifestJudge = Pick<StrategyContext, 'featureEnabled' | 'ratcheted'>;

export class ManifestLoader {
  readonly #decoder: ManifestDecoder;
  readonly #context: StrategyContext;

  constructor(schemas: SchemaRegistry, { featureEnabled, ratcheted }: ManifestJudge) {
    this.#decoder = new ManifestDecoder(schemas);
    this.#context = {
      identity: { name: '', groups: [] },
      nowMs: 0,
      nowText: '',
      dryRun: true,
      newUid: () => '',
      randomSuffix: () => '',
      lookup: () => undefined,
      // The names that are kept free are kept for these.
      featureEnabled: (gate) => gate !== staticNamesGate && featureEnabled(gate),
      ratcheted,
    };
  }

  /** What is wrong when a server starts; throws ManifestFault. `folder` is as it was given. */
  loadFirst(plugin: ManifestPlugin, folder: string, files: readonly ManifestFile[]): Manifests {
    try {
      return this.load(plugin, files);
    } catch (error) {
      if (!(error instanceof ManifestFault)) throw error;
      throw new ManifestFault(`failed to load static ${taken[plugin].what} manifests from ${goQuote(folder)}: ${error.message}`);
    }
  }

  /** Throws ManifestFault. */
  load(plugin: ManifestPlugin, files: readonly ManifestFile[]): Manifests {
    const folder = new Folder(taken[plugin], this.#decoder, this.#context);
    for (const { path, text } of documentsOf(files))
      try {
        folder.take(path, this.#decoder.decode(text));
      } catch (error) {
        if (error instanceof ManifestFault) throw new ManifestFault(`error loading ${path}: ${error.message}`);
        throw error;
      }
    return folder.manifests();
  }
}

/** One look at a folder. */
class Folder {
  readonly #taken: Taken;
  readonly #decoder: ManifestDecoder;
  readonly #context: StrategyContext;
  /** By name, the file that it stands in. */
  readonly #hooks = new Map<string, Found>();
  readonly #bindings = new Map<string, Found>();

  constructor(kinds: Taken, decoder: ManifestDecoder, context: StrategyContext) {
    this.#taken = kinds;
    this.#decoder = decoder;
    this.#context = context;
  }

  take(path: string, manifest: DecodedManifest): void {
    const { apiVersion, kind, object } = manifest;
    if (isGenericList(manifest)) {
      const { items } = object;
      for (const item of isList(items) ? items : []) this.take(path, this.#decodedItem(item));
      return;
    }
    const { hooks, bindings } = this.#taken;
    for (const [definition, found] of [[hooks, this.#hooks] as const, ...(bindings === undefined ? [] : [[bindings, this.#bindings] as const])]) {
      if (apiVersion !== `${definition.group}/${definition.version}`) continue;
      if (kind === definition.kind) return this.#accept(path, definition, [object as unknown as KubeObject], found);
      if (kind === `${definition.kind}List`) return this.#accept(path, definition, itemsOf(object), found);
    }
    throw new ManifestFault(`unsupported resource type ${goTypeOf(manifest)}`);
  }

  manifests(): Manifests {
    for (const { object } of this.#bindings.values()) {
      const policy = (object as ValidatingAdmissionPolicyBinding).spec?.policyName ?? '';
      if (!this.#hooks.has(policy))
        throw new ManifestFault(
          `binding ${goQuote(object.metadata.name ?? '')} references policy ${goQuote(policy)} which does not exist in the manifest directory`,
        );
    }
    return { hooks: sorted(this.#hooks), bindings: sorted(this.#bindings) };
  }

  #decodedItem(item: Parameters<ManifestDecoder['decodeItem']>[0]): DecodedManifest {
    try {
      return this.#decoder.decodeItem(item);
    } catch (error) {
      if (error instanceof ManifestFault) throw new ManifestFault(`failed to decode list item: ${error.message}`);
      throw error;
    }
  }

  /** All are judged before their names are. */
  #accept(path: string, definition: KindDefinition, objects: readonly KubeObject[], found: Map<string, Found>): void {
    const judged = objects.map((object) => this.#judged(definition, object));
    for (const object of judged) {
      const name = object.metadata.name ?? '';
      checkName(name, path, found);
      found.set(name, { path, object });
      if (definition === this.#taken.bindings) checkBinding(name, object);
      else if (this.#taken.what === 'policy') checkPolicy(definition.kind, name, object);
      else checkClients(name, path, object);
    }
  }

  #judged(definition: KindDefinition, given: KubeObject): KubeObject {
    const typed = { ...given, apiVersion: `${definition.group}/${definition.version}`, kind: definition.kind, metadata: given.metadata ?? {} };
    const object = definition.defaults?.(typed) ?? typed;
    const metaFaults = validateObjectMeta(object.metadata, false, nameJudge(definition, object), root('metadata'));
    const faults = checksOfCreate(metaFaults, definition.validate?.(object, this.#context) ?? []);
    if (faults.length > 0) throw new ManifestFault(`${definition.kind} ${goQuote(object.metadata.name ?? '')}: ${aggregateText(faults)}`);
    return object;
  }
}

interface Found {
  readonly path: string;
  readonly object: KubeObject;
}

function itemsOf({ items }: DecodedManifest['object']): readonly KubeObject[] {
  return isList(items) ? (items as unknown as readonly KubeObject[]) : [];
}

function sorted(found: ReadonlyMap<string, Found>): readonly KubeObject[] {
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { object }]) => object);
}

function checkName(name: string, path: string, found: ReadonlyMap<string, Found>): void {
  if (!name.endsWith(staticSuffix))
    throw new ManifestFault(`${goQuote(name)} in file ${goQuote(path)} must have a name ending with ${goQuote(staticSuffix)}`);
  const before = found.get(name);
  if (before !== undefined)
    throw new ManifestFault(`duplicate name ${goQuote(name)} found in file ${goQuote(path)} (previously seen in ${goQuote(before.path)})`);
}

/** No Service leads anywhere before there is a cluster. */
function checkClients(configuration: string, path: string, object: KubeObject): void {
  const { webhooks } = object as { readonly webhooks?: readonly { readonly name: string; readonly clientConfig?: WebhookClientConfig }[] | null };
  for (const { name, clientConfig } of webhooks ?? []) {
    const place = `webhook ${goQuote(name)} in ${goQuote(configuration)} (file ${goQuote(path)})`;
    if (clientConfig?.service)
      throw new ManifestFault(`${place}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`);
    if (!clientConfig?.url) throw new ManifestFault(`${place}: clientConfig.url is required for static manifests`);
  }
}

function checkPolicy(kind: string, name: string, object: KubeObject): void {
  if ((object as ValidatingAdmissionPolicy).spec?.paramKind)
    throw new ManifestFault(`${kind} ${goQuote(name)}: spec.paramKind is not supported for static manifests`);
}

function checkBinding(name: string, object: KubeObject): void {
  const { policyName = '', paramRef } = (object as ValidatingAdmissionPolicyBinding).spec ?? {};
  const place = `binding ${goQuote(name)}`;
  if (!policyName.endsWith(staticSuffix))
    throw new ManifestFault(`${place}: spec.policyName ${goQuote(policyName)} must end with ${goQuote(staticSuffix)}`);
  if (paramRef) throw new ManifestFault(`${place}: spec.paramRef is not supported for static manifests`);
}
