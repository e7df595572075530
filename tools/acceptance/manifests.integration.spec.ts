import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { podUid } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { stopOf } from './runtime-calls.js';
import { expectPodExplained } from './explained.js';
import { staticPodsOverHttp } from './http-pods.js';
import { main, podManifest, script } from './pod-manifests.js';
import { toMs } from './runtime-view.js';
import { useLab, type TestLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { aWhile } from './wait-for.js';

// The default of `terminationGracePeriodSeconds`.
const graceMs = 30_000;
/** Longer than any case: what happens does so because of the file event. */
const eventsOnly = { configuration: { fileCheckFrequency: '1h' } };

const isRunning = (pod: { status?: { phase?: string } }): boolean => pod.status?.phase === 'Running';

/** Added, changed, removed: what an operator does with one manifest. */
async function livesAndDies(bed: TestLab, node: TestNode): Promise<void> {
  const { runtime, lab } = bed;
  const name = node.podName('web');

  await node.untilUp();
  await node.add(podManifest('web'));
  const first = await node.waitFor('the first container runs', async () => (await runtime.running(name))[0]);
  const before = await node.waitForPod('web', 'is shown as running', isRunning);
  await node.untilPolite(name);

  const changed = podManifest('web', { containers: [main({ image: lab.images.numericUser })] });
  await node.add(changed);
  const second = await node.waitFor('the changed container runs', async () =>
    (await runtime.running(name)).find(({ podUid }) => podUid !== first.podUid),
  );
  // By the runtime's own log: the record of a container may be gone as soon as its pod is.
  const stop = await stopOf(lab, first.id);
  // It was not killed, but ended by itself, as it does on TERM.
  expect(stop.tookMs).toBeLessThan(graceMs);
  expect(toMs((await runtime.status(second.id)).startedAt)).toBeGreaterThan(stop.atMs + stop.tookMs);
  const after = await node.waitForPod('web', 'is shown with a new UID', (pod) => podUid(pod) === second.podUid);
  expect(podUid(after)).not.toBe(podUid(before));

  await node.remove('web.json');
  await node.removed('web');
  await node.waitFor('the pod is gone from the list', async () => (await node.pod('web')) === undefined);
}

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;
const skipped = support.ok ? '' : ` (skipped: ${support.reason})`;

onLab(`static pods${skipped}`, () => {
  const bed = useLab();

  it('run when added, are replaced by a pod of a new UID when changed, end when removed, all by the file event', async () =>
    livesAndDies(bed(), await bed().startNode('events', eventsOnly)));

  describe('from a folder', () => {
    let node: TestNode;

    beforeAll(async () => {
      node = await bed().startNode('files', { configuration: { fileCheckFrequency: '500ms' } });
    });

    it('that are bad get one message each that names the file, and every other pod goes on', async () => {
      const { runtime } = bed();
      await node.add(podManifest('bystander'));
      await node.waitForPod('bystander', 'runs', isRunning);
      const [bystander] = await runtime.running(node.podName('bystander'));

      const good = podManifest('fine');
      const bad: Readonly<Record<string, { content: string | Buffer; says: readonly string[] }>> = {
        'broken.yaml': { content: 'kind: Pod\nmetadata: {name: x\nspec: [', says: [] },
        // Not bad enough: its pod runs without the field.
        'unknown-field.json': {
          content: JSON.stringify({ ...good, spec: { ...good.spec, colour: 'red' } }),
          says: ['ignored', 'spec.colour'],
        },
        'wrong-type.json': {
          content: JSON.stringify({ ...good, spec: { ...good.spec, containers: 'main' } }),
          says: ['spec.containers', 'main'],
        },
        'invalid.json': {
          content: JSON.stringify(podManifest('Not_A_Name')),
          says: ['metadata.name', 'Not_A_Name'],
        },
        'eleven-megabytes.yaml': { content: `# ${'x'.repeat(11 * 1024 * 1024)}\n`, says: ['10485760'] },
        'binary.yaml': {
          content: Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7) % 256)),
          says: [],
        },
        'empty.yaml': { content: '', says: [] },
      };
      for (const [file, { content }] of Object.entries(bad)) await node.write(file, content);
      await mkdir(path.join(node.manifests, 'folder.yaml'));
      await symlink('loop.yaml', path.join(node.manifests, 'loop.yaml'));

      const expected = [...Object.keys(bad), 'folder.yaml', 'loop.yaml'];
      await node.waitFor('a message about each', async () => {
        for (const file of expected) {
          if ((await node.complaints(file)).length === 0) throw new Error(`nothing about ${file}`);
        }
        return true;
      });
      const refused = { page: 'manifest-refused-broken' };
      await node.waitForPod('fine', 'runs', isRunning);
      await expectPodExplained(node, node.podName('wrong-type'), 'manifest-refused', { oneScreen: true });
      await expectPodExplained(node, node.podName('broken'), 'manifest-refused', refused);
      // Two periodic looks later nothing more may have been said.
      await aWhile(1_200);
      for (const file of expected) {
        const messages = await node.complaints(file);
        expect(messages).toHaveLength(1);
        for (const text of bad[file]?.says ?? []) expect(messages[0]).toContain(text);
      }
      expect(await runtime.running(node.podName('bystander'))).toEqual([bystander]);
      for (const file of expected) await node.remove(file);
    });

    it('of the same pod name: the first file stays, the second gets one message', async () => {
      const { runtime } = bed();
      await node.write('twin-a.json', podManifest('twin'));
      await node.waitForPod('twin', 'runs', isRunning);
      const [first] = await runtime.running(node.podName('twin'));
      await node.write('twin-b.json', podManifest('twin', { containers: [main({ command: ['sleep', '77'] })] }));
      await node.waitFor('a message about the second', async () => (await node.complaints('twin-b.json')).length > 0);
      // Further deliveries of the same folder say nothing new.
      await node.add(podManifest('passer-by'));
      await node.waitForPod('passer-by', 'runs', isRunning);
      const messages = await node.complaints('twin-b.json');
      expect(messages).toHaveLength(1);
      expect(messages[0]).toContain('twin-a.json');
      await expectPodExplained(node, node.podName('twin'), 'ready', { page: 'ready-twin' });
      expect(await runtime.running(node.podName('twin'))).toEqual([first]);
      for (const file of ['twin-a.json', 'twin-b.json', 'passer-by.json']) await node.remove(file);
    });

    it('of 5 MB run, or are refused with one message that names the limit', async () => {
      const text = `# ${'x'.repeat(5 * 1024 * 1024)}\n${JSON.stringify(podManifest('large'))}\n`;
      await node.write('large.yaml', text);
      const outcome = await node.waitFor('the large manifest is acted upon', async () => {
        if ((await node.complaints('large.yaml')).length > 0) return 'refused';
        return (await node.pod('large')) !== undefined && 'accepted';
      });
      if (outcome === 'accepted') await node.waitForPod('large', 'runs', isRunning);
      const messages = await node.complaints('large.yaml');
      expect(messages).toHaveLength(outcome === 'accepted' ? 0 : 1);
      if (outcome === 'refused') expect(messages[0]).toMatch(/\d{7}/);
      await node.remove('large.yaml');
    });

    it('that are half written first and then renamed into place whole keep their pod', async () => {
      const { runtime } = bed();
      const whole = JSON.stringify(podManifest('halved', { containers: [main(), main({ name: 'other' })] }));
      await writeFile(path.join(node.manifests, 'halved.json'), whole.slice(0, whole.length / 2));
      await node.waitFor('a message about the half', async () => (await node.complaints('halved.json')).length > 0);
      await node.write('halved.json', whole);
      await node.waitForPod('halved', 'runs', isRunning);
      const running = await runtime.running(node.podName('halved'));
      expect(running.map(({ name }) => name).sort()).toEqual(['main', 'other']);
      expect(await node.complaints('halved.json')).toHaveLength(1);

      await node.write('.halved.json.swp', 'an editor leaves this');
      await node.write('halved.json', whole.slice(0, whole.length / 2));
      await node.waitFor('a message about the new half', async () => (await node.complaints('halved.json')).length > 1);
      await node.write('halved.json', whole);
      await aWhile(500);
      expect((await runtime.running(node.podName('halved'))).map(({ id }) => id)).toEqual(running.map(({ id }) => id));
      await node.remove('halved.json');
      await node.remove('.halved.json.swp');
    });
  });

  describe('from a URL', () => {
    it('run, are replaced when they change, and end when the list no longer has them; the header is sent', async () => {
      const server = await staticPodsOverHttp();
      try {
        server.pods = [podManifest('remote'), podManifest('second')];
        const node = await bed().startNode('url', {
          configuration: {
            staticPodPath: '',
            staticPodURL: server.url,
            staticPodURLHeader: { 'X-Node': ['acceptance'] },
            httpCheckFrequency: '500ms',
          },
        });
        const before = await node.waitForPod('remote', 'runs', isRunning);
        await node.waitForPod('second', 'runs', isRunning);
        expect(server.headers).toMatchObject({ 'x-node': 'acceptance' });
        expect(before.metadata.annotations?.['kubernetes.io/config.source']).toBe('http');

        server.pods = [podManifest('remote', { containers: [main({ env: [{ name: 'A', value: 'b' }] })] })];
        await node.removed('second');
        await node.waitForPod('remote', 'runs anew', (pod) => isRunning(pod) && podUid(pod) !== podUid(before));

        server.status = 500;
        await node.waitFor(
          'a message about the failure',
          async () => (await node.complaints('static pods cannot be read from their URL')).length > 0,
        );
        expect(await bed().runtime.running(node.podName('remote'))).toHaveLength(1);
        server.status = 200;
        server.pods = [];
        await node.removed('remote');
      } finally {
        await server.close();
      }
    });
  });
});

onLab(`static pods on containerd 1.6${skipped}`, () => {
  const bed = useLab({ containerd: '1.6' });

  it('run, are replaced and end as on containerd 2', async () =>
    livesAndDies(bed(), await bed().startNode('older', eventsOnly)));

  it('whose container exits are seen to exit without container events', async () => {
    const node = await bed().startNode('older-exit');
    await node.add(
      podManifest('task', { restartPolicy: 'Never', containers: [main({ command: [...script('exit 3')] })] }),
    );
    const pod = await node.waitForPod('task', 'has failed', ({ status }) => status?.phase === 'Failed');
    expect(pod.status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
  });
});
