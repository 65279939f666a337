/** Variables of services are those of the moment at which a container started, whatever becomes of the services. */
import { describe, expect, it } from 'vitest';
import { services } from '../client/resources.ts';
import { Rig } from './testing/rig.ts';

const print = 'echo "$DB_SERVICE_HOST $DB_SERVICE_PORT $LATE_SERVICE_HOST $KUBERNETES_SERVICE_HOST."';
const second = 1_000;

function addService(rig: Rig, name: string, clusterIP: string, port = 80): void {
  rig.add(services, { metadata: { name, namespace: 'default' }, spec: { clusterIP, ports: [{ port, protocol: 'TCP' }] } } as never);
}

/** Prints its variables each ten seconds. */
function addPod(rig: Rig, name: string): void {
  rig.addPod(name, { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', `while true; do ${print}; sleep 10; done`] }] });
}

async function aRig(): Promise<Rig> {
  const rig = new Rig();
  await rig.startPool({ count: 1 });
  addService(rig, 'kubernetes', '10.96.0.1', 443);
  addService(rig, 'db', '10.96.0.2');
  await rig.advance(2 * second);
  addPod(rig, 'first');
  await rig.advance(10 * second);
  return rig;
}

async function logsAfter(rig: Rig, ms: number): Promise<ReadonlySet<string>> {
  rig.logs.length = 0;
  await rig.advance(ms);
  return new Set(rig.logs);
}

describe('variables of services', () => {
  it('stay when a service is deleted, and come back with none made anew', async () => {
    const rig = await aRig();
    rig.delete(services, 'default', 'db', {});
    await rig.advance(5 * second);
    expect(await logsAfter(rig, 20 * second)).toEqual(new Set(['10.96.0.2 80  10.96.0.1.']));
    addService(rig, 'db', '10.96.0.9', 90);
    expect(await logsAfter(rig, 20 * second)).toEqual(new Set(['10.96.0.2 80  10.96.0.1.']));
  });

  it('are those of each start, when a service changes and another is made', async () => {
    const rig = await aRig();
    rig.change(services, 'default', 'db', (service) => ({ ...service, spec: { ...service.spec, ports: [{ port: 81, protocol: 'TCP' }] } }) as never);
    addService(rig, 'late', '10.96.0.3');
    await rig.advance(2 * second);
    addPod(rig, 'second');
    await rig.advance(10 * second);
    rig.delete(services, 'default', 'late', {});
    await rig.advance(2 * second);
    addPod(rig, 'third');
    await rig.advance(10 * second);
    const want = new Set(['10.96.0.2 80  10.96.0.1.', '10.96.0.2 81 10.96.0.3 10.96.0.1.', '10.96.0.2 81  10.96.0.1.']);
    expect(await logsAfter(rig, 20 * second)).toEqual(want);
    const other = new Rig();
    other.takeOver(rig);
    expect(await logsAfter(other, 20 * second)).toEqual(want);
  });

  it('are forgotten when nobody was started with them', async () => {
    const rig = await aRig();
    rig.deletePod('first', 0);
    await rig.advance(10 * second);
    for (let port = 100; port < 130; port++) {
      rig.change(services, 'default', 'db', (service) => ({ ...service, spec: { ...service.spec, ports: [{ port, protocol: 'TCP' }] } }) as never);
      await rig.advance(second);
    }
    expect(JSON.stringify(rig.nodes.slots.save())).not.toContain('untilMs');
  });
});
