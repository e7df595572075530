import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { LocalNode } from './local-node.js';
import { simulatedPod } from './simulated-pod.js';

const web = '/api/v1/namespaces/default/pods/web';
const uidOf = (pod: Pod | undefined): string => pod?.metadata.uid ?? '';
const isRunning = (pod: Pod | undefined): boolean => pod?.status?.phase === 'Running';
const isGone = (pod: Pod | undefined): boolean => pod === undefined;

const manifest = (spec: object = {}, metadata: object = {}): object => ({
  metadata: { name: 'web', ...metadata },
  spec: { containers: [{ name: 'main', image: 'registry.test/main:1' }], ...spec },
});

describe('a pod that somebody puts on the node', () => {
  let local: LocalNode;
  beforeEach(async () => {
    local = await LocalNode.create({ jitterless: true });
    await local.node.boot();
  });
  afterEach(() => local.node.dispose());

  async function restart(): Promise<void> {
    await local.node.kill();
    await local.node.clock.advance(7_000);
    await local.node.boot();
  }
  const starts = (uid: string): number =>
    local.node.runtime.control.containers(uid).filter(({ name }) => name === 'main').length;

  it('runs, ends when it is deleted, and is gone then', async () => {
    local.node.runtime.programs.set('main', { onStop: { afterMs: 2_000 } });
    expect((await local.ask('PUT', web, manifest())).status).toBe(201);
    const pod = await local.untilShown('web', isRunning);
    expect(pod?.metadata.annotations).toMatchObject({ 'kubernetes.io/config.source': 'local' });
    expect(await local.ask('DELETE', web)).toMatchObject({
      status: 200,
      body: { metadata: { deletionGracePeriodSeconds: 30 } },
    });
    expect((await local.pod('web'))?.metadata.deletionTimestamp).toBeDefined();
    await local.untilShown('web', isGone);
    expect(local.node.isStopped(pod as Pod)).toBe(true);
  });

  it('runs on when the kubelet is killed, and is not started again', async () => {
    await local.ask('PUT', web, manifest());
    const before = await local.untilShown('web', isRunning);
    await restart();
    const after = await local.untilShown('web', isRunning);
    expect(after).toEqual(before);
    await local.node.clock.advance(30_000);
    expect(starts(uidOf(after))).toBe(1);
  });

  it('goes on ending when the kubelet is killed meanwhile', async () => {
    local.node.runtime.programs.set('main', { onStop: 'ignore' });
    await local.ask('PUT', web, manifest({ terminationGracePeriodSeconds: 60 }));
    const pod = await local.untilShown('web', isRunning);
    await local.ask('DELETE', web);
    await local.node.clock.advance(5_000);
    await restart();
    expect((await local.pod('web'))?.metadata.deletionTimestamp).toBeDefined();
    await local.untilShown('web', isGone);
    expect(local.node.isStopped(pod as Pod)).toBe(true);
  });

  it('ends at once when it is deleted by force', async () => {
    local.node.runtime.programs.set('main', { onStop: 'ignore' });
    await local.ask('PUT', web, manifest());
    const pod = await local.untilShown('web', isRunning);
    await local.ask('DELETE', `${web}?gracePeriodSeconds=0`);
    expect(await local.pod('web')).toBeUndefined();
    expect(await local.node.until(() => local.node.isStopped(pod as Pod))).toBeLessThan(5_000);
  });

  it('is another one with another spec, which starts when the old one has ended', async () => {
    await local.ask('PUT', web, manifest());
    const old = await local.untilShown('web', isRunning);
    const { status } = await local.ask('PUT', web, manifest({ hostname: 'other' }));
    expect(status).toBe(200);
    const next = await local.untilShown('web', isRunning);
    expect(uidOf(next)).not.toBe(uidOf(old));
    expect(local.node.isStopped(old as Pod)).toBe(true);
    const [first] = local.node.runtime.control.containers(uidOf(next));
    expect(first).toBeDefined();
  });

  it('stays the same with other labels, and with none', async () => {
    await local.ask('PUT', web, manifest());
    const before = await local.untilShown('web', isRunning);
    await local.ask('PUT', web, manifest({}, { labels: { tier: 'front' } }));
    await local.node.clock.advance(10_000);
    const after = await local.pod('web');
    expect([uidOf(after), after?.metadata.labels]).toEqual([uidOf(before), { tier: 'front' }]);
    const again = await local.ask('PUT', web, manifest({}, { labels: { tier: 'front' } }));
    expect((again.body as unknown as Pod).metadata.resourceVersion).toBe(after?.metadata.resourceVersion);
    expect(starts(uidOf(after))).toBe(1);
  });

  it('that has finished never runs again, and is removed at once', async () => {
    local.node.runtime.programs.set('main', { exitAfterMs: 1_000 });
    await local.ask('PUT', web, manifest({ restartPolicy: 'Never' }));
    const pod = await local.untilShown('web', (shown) => shown?.status?.phase === 'Succeeded');
    await restart();
    await local.node.clock.advance(60_000);
    expect((await local.pod('web'))?.status?.phase).toBe('Succeeded');
    expect(starts(uidOf(pod))).toBe(1);
    await local.ask('DELETE', web);
    expect(await local.pod('web')).toBeUndefined();
  });

  it('leaves the pods of other sources alone, and cannot have their names', async () => {
    local.node.want(simulatedPod('static', {}));
    await local.node.clock.advance(10_000);
    const taken = manifest({}, { name: 'static' });
    expect(await local.ask('PUT', '/api/v1/namespaces/default/pods/static', taken)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('a pod of the source file has this name') },
    });
    expect((await local.ask('DELETE', '/api/v1/namespaces/default/pods/static')).status).toBe(403);
    await local.ask('PUT', '/api/v1/pods', { items: [manifest()] });
    await local.untilShown('web', isRunning);
    expect((await local.pod('static'))?.status?.phase).toBe('Running');
    await local.ask('PUT', '/api/v1/pods', { items: [] });
    await local.untilShown('web', isGone);
    expect((await local.pod('static'))?.status?.phase).toBe('Running');
  });

  it('that the node refuses is Failed, and is gone when it is deleted', async () => {
    await local.ask('PUT', web, manifest({ nodeSelector: { disk: 'fast' } }));
    await local.untilShown('web', (pod) => pod?.status?.phase === 'Failed');
    await local.ask('DELETE', web);
    expect(await local.pod('web')).toBeUndefined();
  });
});
