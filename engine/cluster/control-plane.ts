/** The API server of one cluster, put together: registry, authorization, admission, computed resources, OpenAPI. */
import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '../api/rbac/v1/types.gen.ts';
import { createSchemaRegistry } from '../api/schemas.ts';
import { AuditSinks } from '../apiserver/audit/sinks.ts';
import type { ServerJudge } from '../apiserver/admission/webhooks/calls.ts';
import type { WebhookHealth } from '../apiserver/admission/webhooks/health.ts';
import type { FindPodServer, RouteReader } from '../apiserver/admission/webhooks/routes.ts';
import { ApiServiceMetrics } from '../apiserver/aggregation/metrics.ts';
import { Aggregation } from '../apiserver/aggregation/proxy.ts';
import { createWebhookConversion } from '../apiserver/conversion/webhook.ts';
import { CustomKinds } from '../apiextensions/custom-kinds.ts';
import { MetaReader } from '../apiextensions/schema/object-meta.ts';
import { TypeTable } from '../apimachinery/managed-fields/types.ts';
import { anonymous, bearerToken, invalidToken } from '../apiserver/auth/authenticator.ts';
import { anonymousEverywhere, mayBeAnonymous } from '../apiserver/auth/authentication.ts';
import { createNodeAuthorizer } from '../apiserver/auth/node-authorizer.ts';
import { NodeGraph } from '../apiserver/auth/node-graph.ts';
import { RbacAuthorizer } from '../apiserver/auth/rbac.ts';
import { createDefaultCodec } from '../apiserver/default-codec.ts';
import { createFieldView } from '../apiserver/field-view.ts';
import type { RequestLimiter } from '../apiserver/flowcontrol/seats.ts';
import { HttpApi, type HttpApiOptions } from '../apiserver/http.ts';
import type { RequestLog } from '../apiserver/requests/request-log.ts';
import { columnDescriptions } from '../apiserver/column-descriptions.ts';
import type { DocumentHandler } from '../apiserver/openapi/openapi.ts';
import { createDocuments } from './documents.ts';
import type { ReachPod } from '../apiserver/proxy/proxied.ts';
import { type ApiServer, createApiServer } from '../apiserver/pipeline.ts';
import type { ComputedResource } from '../contracts/computed-resource.ts';
import type { Random } from '../base/random.ts';
import type { Slots } from '../base/slots.ts';
import type { Crash, TaskLoop } from '../base/task-loop.ts';
import type { AccessRule } from '../contracts/access.ts';
import type { KubeletConnections } from '../contracts/connect.ts';
import { isCustom, type KindDefinition } from '../contracts/kind.ts';
import type { AskLater } from '../contracts/questions.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { CommittedJson } from '../apimachinery/serializer/committed-json.ts';
import { kinds } from '../kinds/index.gen.ts';
import { storedUnder } from '../registry/core.ts';
import { createMachinery } from '../registry/default-machinery.ts';
import { createResourceRegistry } from '../registry/resource-registry.ts';
import type { Release } from '../contracts/release.ts';
import { gatedPolicy } from '../releases/gated-policy.ts';
import type { PlacedDisks } from '../apiserver/admission/plugins/persistent-volume-label.ts';
import { FeatureGates } from '../releases/feature-gates.ts';
import { servedKinds } from '../releases/served-kinds.ts';
import type { Store } from '../store/store.ts';
import { createAdmissionHooks } from './admission-hooks.ts';
import { createAdmission, createEventLimits } from './admission-order.ts';
import { apiServerIdentity, userAgent } from './identities.ts';
import { formerReviews } from '../apiserver/admission/webhooks/former-review.ts';
import { AdmissionMeter } from '../apiserver/admission/meter.ts';
import { allocatorMetrics } from './allocator-metrics.ts';
import { browserSettings } from './browser-settings.ts';
import { createServices } from './service-allocator.ts';
import { signingMetrics } from './signing-metrics.ts';
import { TokenUses } from '../apiserver/auth/token-uses.ts';
import type { HttpRequest } from '../apiserver/http-types.ts';
import type { ClusterHost } from './cluster-host.ts';
import { ClusterManifests } from './admission-manifests.ts';
import { ClusterAuthorizers } from './authorizers.ts';
import { earlierMessages, gatesOfPlugins } from './earlier-messages.ts';
import { createLimiter } from './limiter.ts';
import { type CustomSchema, type ServedResource, servedTypes } from './served-types.ts';
import type { ServedTypes } from '../controller-runtime/controller.ts';
import type { Settings } from './settings.ts';

export interface ControlPlaneOptions {
  readonly release: Release;
  readonly settings: Settings;
  readonly loop: TaskLoop;
  readonly random: Random;
  readonly store: Store<KubeObject>;
  readonly host: ClusterHost;
  readonly computed: readonly ComputedResource[];
  /** Remembers what clients ask for. */
  readonly requests: RequestLog;
  readonly kubelets: KubeletConnections;
  /** Further pages by path. */
  readonly pages: DocumentHandler;
  readonly json: CommittedJson;
  /** Makes a request of the API server's own. */
  send(request: HttpRequest): void;
  /** Asks for streams that are open. */
  readonly later: AskLater;
  /** Hands requests on to servers in pods. */
  readonly reach: ReachPod;
  /** Disks of the cloud; undefined where there is none. */
  disks(): PlacedDisks | undefined;
  /** A request over HTTP hit a defect. */
  onCrash(crash: Crash): void;
  /** Why a fault in force fails a request from outside. */
  readonly faultOn: NonNullable<HttpApiOptions['faultOn']>;
  readonly delayOf: NonNullable<HttpApiOptions['delayOf']>;
}

export interface ControlPlane {
  readonly api: ApiServer;
  readonly http: HttpApi;
  readonly aggregation: Aggregation;
  readonly authorizers: ClusterAuthorizers;
  /** Webhooks and policies on disk. */
  readonly manifests: ClusterManifests;
  readonly limiter: RequestLimiter;
  /** What is left of the limits of Events; absent where there are none. */
  readonly eventLimits: Slots | undefined;
  readonly types: ServedTypes;
  readonly webhooks: WebhookHealth;
  /** Stored objects were replaced behind the watches' back. */
  reload(): void;
}

const apiServicesPrefix = 'apiregistration.k8s.io/apiservices';
const rbacPrefixes = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] as const;

export function createControlPlane({
  release,
  settings,
  loop,
  random,
  store,
  host,
  computed,
  requests,
  kubelets,
  pages,
  json,
  onCrash,
  faultOn,
  delayOf,
  later,
  send,
  reach,
  disks,
}: ControlPlaneOptions): ControlPlane {
  const gates = new FeatureGates(release.featureGates, settings.text('feature-gates'));
  const forced = gatesOfPlugins(settings);
  const featureEnabled = (gate: string): boolean => gates.enabled(gate) || forced.has(gate);
  const schemas = createSchemaRegistry([
    ...earlierMessages(release.fields.earlier, featureEnabled),
    ...[...kinds, ...computed.map(({ kind }) => kind)].flatMap((kind) => [
      ...(typeof kind.schema === 'string' ? [] : [kind.schema]),
      ...(kind.schemas ?? []),
    ]),
  ]);
  let rbacGeneration = 0;
  for (const prefix of rbacPrefixes) store.watch({ prefix: `/registry/${prefix}/`, onChanges: () => void rbacGeneration++ });
  const rbac = createRbac(store, () => rbacGeneration);
  const graph = new NodeGraph(store);
  const nodes = createNodeAuthorizer({ graph, rules: nodeRules(release, gates), featureEnabled });
  const { componentPolicy } = release;
  const further = [...(componentPolicy === undefined ? [] : [createComponentRbac(componentPolicy)]), ...(host.authorizers ?? [])];
  const authorizers = new ClusterAuthorizers(settings, { Node: nodes, RBAC: rbac }, further, () => host.wallMs());
  const { authorizer } = authorizers;
  const registry = createResourceRegistry({
    store,
    schemas,
    kinds: servedKinds(release, kinds, settings.map('runtime-config'), featureEnabled),
    machinery: createMachinery(schemas),
    clock: loop,
    random,
    services: createServices(settings, gates.enabled('MultiCIDRServiceAllocator')),
    featureEnabled,
    ratcheted: (ratchet) => release.ratchets[ratchet],
    judges: (fault) => release.judges?.(fault) ?? true,
    access: {
      authorize: (identity, attributes, ask) => authorizer.authorize(identity, attributes, ask),
      rulesOf: (identity, namespace) => authorizers.rulesOf(identity, namespace),
      rulesMissing: (identity) => authorizers.rulesMissing(identity),
      rolesMissing: (identity, namespace) => authorizers.rolesMissing(identity, namespace),
      knownToken: (token, audiences, ask) => {
        // Upstream asks with a header that holds it: of several words the first counts, and without any nobody in particular asks.
        const word = bearerToken(`Bearer ${token}`);
        if (word === undefined && mayBeAnonymous(host.anonymous ?? anonymousEverywhere, ''))
          return { identity: anonymous, audiences: audiences.length === 0 ? (host.tokenSigner?.audiences ?? []) : audiences };
        if (word === undefined) return { error: '' };
        const known = host.knownToken?.(word, audiences, ask) ?? { error: invalidToken };
        if (known.remarks !== undefined) uses?.used(known.remarks);
        return known;
      },
    },
    ...(host.tokenSigner === undefined ? {} : { tokenSigner: host.tokenSigner }),
    ...(host.certificateJudge === undefined ? {} : { certificates: host.certificateJudge }),
  });
  const uses = release.ratchets.BoundTokens
    ? new TokenUses({
        nowMs: () => loop.nowMs(),
        secret: (namespace, name) => registry.core.lookup('', 'secrets', namespace, name),
        identity: apiServerIdentity,
        userAgent: userAgent('kube-apiserver', release.gitVersion),
        send,
      })
    : undefined;
  const meter = new AdmissionMeter(() => host.wallMs(), release.paths?.metrics?.admissionBounds);
  const podServer: FindPodServer = (...at) => kubelets.serverAt(...at);
  const { certificateJudge } = host;
  const serverFault: ServerJudge | undefined =
    certificateJudge && ((chain, name, authorities) => certificateJudge.serverFault(chain, { name, authorities, nowMs: loop.nowMs() }));
  const policiesMutate = featureEnabled('MutatingAdmissionPolicy');
  const manifests = new ClusterManifests(release, settings);
  const view = createFieldView(schemas, release, featureEnabled);
  const told = view && formerReviews(view, registry.table, schemas);
  const hooks = createAdmissionHooks(store, kubelets, manifests, { policiesMutate, meter, serverFault, nowMs: () => loop.nowMs(), told, requests });
  const eventLimits = createEventLimits(settings, () => loop.nowMs());
  const metadataType = new TypeTable(schemas).of(schemas.mustGet('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'));
  const customKinds = new CustomKinds({
    store,
    table: registry.table,
    metadataType,
    metaReader: new MetaReader(schemas),
    tellsAgesInOneUnit: release.tellsAgesInOneUnit,
    conversionOf: (definition) => createWebhookConversion({ definition, hash: (text) => host.hash(text), podServer, serverFault }),
  });
  const api = createApiServer({
    registry,
    authorizer,
    admission: createAdmission(
      release,
      settings,
      {
        nowMs: () => loop.nowMs(),
        featureEnabled,
        authorize: (identity, attributes, ask) => authorizer.authorize(identity, attributes, ask),
        certificates: host.certificates,
        disks,
        eventLimits,
        meter,
      },
      hooks.plugins,
      host.admissionPlugins,
    ),
    computed,
    kubelets,
    ...(host.newId === undefined ? {} : { firstVersion: Number.parseInt(host.newId().slice(0, 8), 16) * 65_536 }),
    elsewhere: (request) => aggregation.handOnInside(request),
  });
  const seen = view?.schemas ?? schemas;
  const customSchema: CustomSchema = (group, version, kind) => customKinds.schemaOf(group, version, kind);
  const listsValues = featureEnabled('OpenAPIEnums');
  const { documents, descriptions } = createDocuments({
    server: api,
    schemas: view?.described ?? schemas,
    host,
    release,
    pages,
    customSchema,
    listsValues,
  });
  const onPanic: HttpApiOptions['onPanic'] = (error, key) => onCrash({ component: 'apiserver', key, error });
  const limits = createLimiter({ release, settings, store, registry, host });
  const reader: RouteReader = {
    lookup: (group, resource, namespace, name) => registry.core.lookup(group, resource, namespace, name),
    stored: (prefix) => storedUnder(store, prefix),
    // Reads have no draws: of several backends the first is called.
    draw: () => 0,
  };
  const apiServices = new ApiServiceMetrics();
  store.watch({
    prefix: `/registry/${apiServicesPrefix}/`,
    onChanges: (changes) => changes.forEach(({ previous, current }) => apiServices.onChange(previous?.value, current?.value)),
  });
  const signing = signingMetrics(store, certificateJudge);
  const { openSink } = host.audit ?? {};
  const aggregation = new Aggregation({
    storages: api.storages,
    reader,
    podServer,
    tellsUids: featureEnabled('RemoteRequestHeaderUID'),
    follow: (stream, sink) => host.followStream?.(stream, sink) ?? (() => {}),
  });
  const http = new HttpApi({
    aggregation,
    server: api,
    codec: createDefaultCodec(seen, (value) => json.of(value), release.yaml),
    schemas: seen,
    view,
    authorizer,
    featureEnabled,
    connectsCreate: featureEnabled('AuthorizePodWebsocketUpgradeCreatePermission'),
    constrainsImpersonation: featureEnabled('ConstrainedImpersonation'),
    authentication: {
      tokens: host.authenticators ?? [],
      anonymous: host.anonymous ?? anonymousEverywhere,
      requestHeader: host.requestHeader,
      passwords: host.passwords,
      certificatesHaveUids: featureEnabled('AllowParsingUserUIDFromCertAuth'),
      namesCertificates: release.ratchets.NamedCertificates,
    },
    ...browserSettings(settings),
    onPanic,
    faultOn,
    delayOf,
    limiter: limits.limiter,
    tokenUsed: uses && ((remarks) => uses.used(remarks)),
    wallMs: () => host.wallMs(),
    requests,
    describeColumn: columnDescriptions(descriptions, release.columnFields),
    processMetrics: () => host.processMetrics?.() ?? '',
    flags: () => Object.keys(settings.entries()).map((name) => [name, settings.text(name)]),
    admissionMetrics: () =>
      `${uses?.metrics() ?? ''}${meter.text()}${authorizers.metrics()}${allocatorMetrics(settings, (prefix) => storedUnder(store, prefix))}${hooks.metrics.text()}${apiServices.text(storedUnder(store, apiServicesPrefix))}${signing.text()}${release.metersGates ? gates.metrics() : ''}`,
    audit: host.audit,
    auditSinks: openSink && new AuditSinks(hooks.objects('auditsinks'), openSink, reader, podServer),
    later,
    reach,
    newId: host.newId?.bind(host),
    documents,
    release,
    hash: (text) => host.hash(text),
    address: () => host.address?.(),
  });
  const reload = (): void => {
    rbacGeneration++;
    hooks.reload();
    graph.rebuild();
    customKinds.reload();
    limits.reload();
  };
  // Versions of users' own kinds that are not served are nobody's to watch.
  const isServed = (kind: KindDefinition): boolean => !isCustom(kind) || kind.visibility !== 'internal';
  const served = (): readonly ServedResource[] =>
    registry.table.list().flatMap(({ kind }) => (isServed(kind) ? [{ ...kind, resource: kind.plural }] : []));
  const types = servedTypes(served, schemas, customSchema);
  return {
    api,
    http,
    aggregation,
    authorizers,
    manifests,
    limiter: limits.limiter,
    eventLimits: eventLimits?.slots,
    types,
    webhooks: hooks.metrics.health,
    reload,
  };
}

/** What every node may do. */
function nodeRules(release: Release, gates: FeatureGates): readonly AccessRule[] {
  const of = (policy: readonly KubeObject[]): readonly AccessRule[] =>
    (policy.find((object) => object.kind === 'ClusterRole' && object.metadata.name === 'system:node') as ClusterRole | undefined)?.rules ?? [];
  return release.componentPolicy === undefined
    ? of(gatedPolicy(release, gates))
    : [...of(release.componentPolicy), ...of(gatedPolicy(release, gates))];
}

function createRbac(store: Store<KubeObject>, generation: () => number): RbacAuthorizer {
  const stored = (prefix: string): never => storedUnder(store, prefix) as never;
  return new RbacAuthorizer({
    generation,
    clusterRoles: () => stored('clusterroles'),
    clusterRoleBindings: () => stored('clusterrolebindings'),
    roles: () => stored('roles'),
    roleBindings: () => stored('rolebindings'),
  });
}

/** Roles that are in no store, for users and service accounts that they name; what groups may is the stored roles' affair. */
function createComponentRbac(policy: readonly KubeObject[]): RbacAuthorizer {
  const kept = <T>(kind: string): readonly T[] => policy.filter((object) => object.kind === kind) as unknown as readonly T[];
  const named = <T extends ClusterRoleBinding | RoleBinding>(kind: string): readonly T[] =>
    kept<T>(kind).map((binding) => ({ ...binding, subjects: (binding.subjects ?? []).filter((subject) => subject.kind !== 'Group') }));
  return new RbacAuthorizer({
    generation: () => 0,
    clusterRoles: () => kept<ClusterRole>('ClusterRole'),
    clusterRoleBindings: () => named<ClusterRoleBinding>('ClusterRoleBinding'),
    roles: () => kept<Role>('Role'),
    roleBindings: () => named<RoleBinding>('RoleBinding'),
  });
}
