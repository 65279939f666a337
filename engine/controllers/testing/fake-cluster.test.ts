import { describe, expect, it } from 'vitest';
import { pods } from '../../client/resources.ts';
import { watchOf, type Controller } from '../../controller-runtime/controller.ts';
import { defineController } from '../controller.ts';
import { FakeCluster } from './fake-cluster.ts';

const definition = defineController({
  name: 'labeler-controller',
  aliases: [],
  serviceAccount: 'labeler',
  eventSource: 'labeler',
  workers: () => 1,
  watches: [watchOf(pods, (event) => (event.type === 'delete' ? [] : [`${event.object.metadata.namespace}/${event.object.metadata.name}`]))],
  create: (environment): Controller => ({
    async reconcile({ client, causes }, key) {
      const pod = environment.informer(pods).get('default', key.slice('default/'.length));
      if (pod === undefined || pod.metadata.labels?.['seen'] !== undefined) return;
      await client.patch(pods, 'default', pod.metadata.name ?? '', 'strategic', { metadata: { labels: { seen: 'yes' } } });
      environment.recorder.event(pod, 'Normal', 'Seen', 'Seen it', causes);
    },
  }),
});

describe('FakeCluster', () => {
  it('runs a controller until it settles', async () => {
    const fake = new FakeCluster();
    fake.add(pods, { metadata: { namespace: 'default', generateName: 'a-' } });
    await fake.run(definition);
    expect(fake.writeTexts()).toEqual(['patch pods default/a-00001']);
    expect(fake.eventTexts()).toEqual(['Normal Seen Seen it']);
    expect(fake.writes[0]?.causes.length).toBe(0);
    fake.add(pods, { metadata: { namespace: 'default', name: 'b' } });
    await fake.settle();
    expect(fake.writes[1]?.causes).toEqual(['rev:103']);
  });

  it('lets a running pod end by and by, and others at once', async () => {
    const fake = new FakeCluster();
    fake.add(pods, { metadata: { namespace: 'default', name: 'bound' }, spec: { nodeName: 'n' } });
    fake.add(pods, { metadata: { namespace: 'default', name: 'waiting' }, spec: {} });
    await fake.client([]).delete(pods, 'default', 'bound');
    await fake.client([]).delete(pods, 'default', 'waiting');
    expect(fake.list(pods).map((pod) => [pod.metadata.name, pod.metadata.deletionGracePeriodSeconds])).toEqual([['bound', 30]]);
  });
});
