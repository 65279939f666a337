/**
 * Keeps the areas of rows: of workloads as their status says, of nodes and Services by counting pods and endpoints change by change, and
 * of the whole cluster. Nothing is listed to know how many there are.
 */
import { serviceNameLabel } from '../component-helpers/service-slices.ts';
import type { Node, Pod, Service } from '../api/core/v1/types.gen.ts';
import type { EndpointSlice } from '../api/discovery/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { membersOf, record, number } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import { clusterDns } from '../component-helpers/cluster-dns.ts';
import { isNodeReady } from '../component-helpers/node.ts';
import { isPodActive, isPodReady, isPodTerminal } from '../component-helpers/pod.ts';
import type { Change } from '../store/store.ts';
import { type Area, areaCodec, type Level, noArea, withStep } from './area.ts';
import { levelOf } from './levels.ts';
import { resourceType, type Row } from './row.ts';

const stepsMax = 240;
const clusterStepsMax = 2_000;
/** A Service of two families has each pod twice: its fuller family counts. */
const families = ['IPv4', 'IPv6', 'FQDN'] as const;

/** The latest life of a row that is about to change; undefined where none is known. */
export type RowToChange = (id: string) => Row | undefined;
interface Share extends Level {
  /** What it is counted under: `nodes/pool-0`, `services/default/web#IPv4`. */
  readonly key: string;
}

export class Areas {
  /** What lives now, by `Share.key`; what has none left is not there. */
  #levels = new Map<string, Level>();
  #pods: Area = noArea;
  #nodes: Area = noArea;

  /** Pods that are to run and are ready, over time. */
  get pods(): Area {
    return this.#pods;
  }

  get nodes(): Area {
    return this.#nodes;
  }

  onChange({ current, previous, meta }: Change<KubeObject>, row: Row, rowToChange: RowToChange): void {
    const type = resourceType(row);
    const ms = meta.virtualMs;
    switch (type) {
      case 'pods':
        return this.#onPod(current?.value as Pod | undefined, previous?.value as Pod | undefined, ms, rowToChange);
      case 'nodes':
        return this.#onNode(current?.value as Node | undefined, previous?.value as Node | undefined, ms, row);
      case 'endpointslices.discovery.k8s.io':
        return this.#onSlice(current?.value as EndpointSlice | undefined, previous?.value as EndpointSlice | undefined, ms, rowToChange);
      case 'services':
        if (current !== undefined && needsPods(current.value as Service)) this.#enter(row, ms, this.#serviceLevel(row.id));
        return;
      default: {
        const level = current === undefined ? undefined : levelOf(type, current.value);
        if (level !== undefined) this.#enter(row, ms, level);
      }
    }
  }

  keepIn(slots: Slots): void {
    slots.field(
      'levels',
      membersOf(record<Level>({ wished: number, ready: number, there: number })),
      () => this.#levels,
      (levels) => {
        this.#levels = new Map(levels);
      },
    );
    slots.field(
      'podsArea',
      areaCodec,
      () => this.#pods,
      (area) => {
        this.#pods = area;
      },
    );
    slots.field(
      'nodesArea',
      areaCodec,
      () => this.#nodes,
      (area) => {
        this.#nodes = area;
      },
    );
  }

  #onPod(pod: Pod | undefined, old: Pod | undefined, ms: number, rowToChange: RowToChange): void {
    const [before, after] = [old && podShare(old), pod && podShare(pod)];
    if (isSame(before, after)) return;
    this.#pods = withStep(this.#pods, ms, this.#move('pods', before, after), clusterStepsMax);
    for (const key of keysOf(before, after)) {
      const level = this.#move(key, before?.key === key ? before : undefined, after?.key === key ? after : undefined);
      const row = rowToChange(key);
      if (row !== undefined && row.deletedMs === 0) this.#enter(row, ms, level);
    }
  }

  #onNode(node: Node | undefined, old: Node | undefined, ms: number, row: Row): void {
    const [before, after] = [old && nodeShare(old), node && nodeShare(node)];
    if (!isSame(before, after)) this.#nodes = withStep(this.#nodes, ms, this.#move('nodes', before, after), clusterStepsMax);
    if (node !== undefined && row.area.length === 0) this.#enter(row, ms, this.#levels.get(row.id) ?? none);
  }

  #onSlice(slice: EndpointSlice | undefined, old: EndpointSlice | undefined, ms: number, rowToChange: RowToChange): void {
    const [before, after] = [old && sliceShare(old), slice && sliceShare(slice)];
    if (isSame(before, after)) return;
    for (const key of keysOf(before, after)) {
      this.#move(key, before?.key === key ? before : undefined, after?.key === key ? after : undefined);
      const id = key.slice(0, key.lastIndexOf('#'));
      const row = rowToChange(id);
      // One without a selector is as its writer says: nothing is short of it.
      if (row !== undefined && row.deletedMs === 0 && row.area.length > 0) this.#enter(row, ms, this.#serviceLevel(id));
    }
  }

  /** A Service that selects pods wishes for one at least. */
  #serviceLevel(id: string): Level {
    let fullest = none;
    for (const family of families) {
      const level = this.#levels.get(`${id}#${family}`);
      if (level !== undefined && level.there > fullest.there) fullest = level;
    }
    return fullest.wished > 0 ? fullest : { ...fullest, wished: 1 };
  }

  #enter(row: Row, ms: number, level: Level): void {
    row.area = withStep(row.area, ms, level, stepsMax);
  }

  #move(key: string, before: Level | undefined, after: Level | undefined): Level {
    const was = this.#levels.get(key) ?? none;
    const level: Level = {
      wished: was.wished + (after?.wished ?? 0) - (before?.wished ?? 0),
      ready: was.ready + (after?.ready ?? 0) - (before?.ready ?? 0),
      there: was.there + (after?.there ?? 0) - (before?.there ?? 0),
    };
    if (level.there === 0 && level.wished === 0) this.#levels.delete(key);
    else this.#levels.set(key, level);
    return level;
  }
}

const none: Level = { wished: 0, ready: 0, there: 0 };

/** What is finished is nobody's; what goes is there and no longer wished for. */
function podShare(pod: Pod): Share | undefined {
  if (isPodTerminal(pod)) return undefined;
  const wished = isPodActive(pod) ? 1 : 0;
  const node = pod.spec?.nodeName ?? '';
  return { key: node === '' ? '' : `nodes/${node}`, wished, ready: wished === 1 && isPodReady(pod) ? 1 : 0, there: 1 };
}

function nodeShare(node: Node): Share {
  return { key: '', wished: 1, ready: isNodeReady(node) ? 1 : 0, there: 1 };
}

function sliceShare({ metadata, addressType, endpoints }: EndpointSlice): Share | undefined {
  const service = metadata.labels?.[serviceNameLabel];
  if (service === undefined || metadata.namespace === undefined) return undefined;
  const staying = (endpoints ?? []).filter(({ conditions }) => conditions?.terminating !== true);
  // Upstream: what is unknown of readiness counts as ready.
  const ready = staying.filter(({ conditions }) => conditions?.ready !== false).length;
  return { key: `services/${metadata.namespace}/${service}#${addressType}`, wished: staying.length, ready, there: endpoints?.length ?? 0 };
}

/** One without a selector is as its writer says, and names are answered without any. */
function needsPods({ metadata: { namespace, name }, spec }: Service): boolean {
  if (namespace === clusterDns.namespace && name === clusterDns.name) return false;
  return spec?.selector !== undefined && Object.keys(spec.selector).length > 0 && spec.type !== 'ExternalName';
}

function keysOf(before: Share | undefined, after: Share | undefined): readonly string[] {
  return [...new Set([before?.key ?? '', after?.key ?? ''])].filter((key) => key !== '');
}

function isSame(a: Share | undefined, b: Share | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.key === b.key && a.wished === b.wished && a.ready === b.ready && a.there === b.there;
}
