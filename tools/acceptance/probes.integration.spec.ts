import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod, Probe } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { expectPodExplained } from './explained.js';
import { main, podManifest, script, untilTerm } from './pod-manifests.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { aWhile, untilHolds } from './wait-for.js';

const statusOf = ({ status }: Pod): ContainerStatus | undefined => status?.containerStatuses?.[0];
const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
/** Local and remote address of each socket in TIME_WAIT, in the kernel's form. */
const waitingSockets = async (): Promise<readonly string[]> =>
  (await readFile('/proc/net/tcp', 'utf8')).split('\n').flatMap((line) => {
    const [, local = '', remote = '', state] = line.trim().split(/\s+/);
    return state === '06' ? [`${local} ${remote}`] : [];
  });
const everySecond = (probe: Probe, failureThreshold = 3): Probe => ({
  ...probe,
  ...{ periodSeconds: 1, timeoutSeconds: 10, failureThreshold },
});

const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

onLab(`probes${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let node: TestNode;
  // Of earlier pods with the addresses that this lab gives again.
  let waitingBefore: readonly string[];

  beforeAll(async () => {
    waitingBefore = await waitingSockets();
    node = await bed().startNode('probes');
    await node.add(serving);
    await node.add(failing);
    await node.add(commanded);
  });

  it('by http and tcp: nothing else is asked before the startup probe has succeeded', async () => {
    const early = await node.waitForPod('serving', 'runs', (pod) => statusOf(pod)?.state?.running !== undefined);
    expect(statusOf(early)).toMatchObject({ started: false, ready: false });
    const pod = await node.waitForPod('serving', 'is ready', isReady);
    expect(statusOf(pod)).toMatchObject({ started: true, ready: true, restartCount: 0 });
    const told = await node.events('serving', 'Unhealthy');
    expect(told.length).toBeGreaterThan(0);
    for (const line of told) expect(line).toContain('Startup probe failed: Get \\"http://');
  });

  it('leave no socket in TIME_WAIT on the node', async () => {
    const pod = await node.waitForPod('serving', 'is ready', isReady);
    await aWhile(3_000);
    const address = (pod.status?.podIP ?? '').split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
    const hex = [...address].reverse().join('').toUpperCase();
    const waiting = (await waitingSockets()).filter((socket) => socket.includes(` ${hex}:`));
    expect(waiting.filter((socket) => !waitingBefore.includes(socket))).toEqual([]);
  });

  it('that fail restart the container, with the grace period of the probe', async () => {
    const pod = await node.waitForPod('failing', 'was restarted', (seen) => (statusOf(seen)?.restartCount ?? 0) > 0);
    expect(statusOf(pod)?.lastState?.terminated?.exitCode).toBe(137);
    const [unhealthy] = await node.events('failing', 'Unhealthy');
    expect(unhealthy).toContain(`Liveness probe failed: dial tcp ${pod.status?.podIP}:9: connect: connection refused`);
    const [killing] = await node.events('failing', 'Killing');
    expect(killing).toContain('message="Container main failed liveness probe, will be restarted"');
    // Once it has to wait for its back-off.
    await expectPodExplained(node, node.podName('failing'), 'liveness-restart');
  });

  it('by a command: readiness comes and goes', async () => {
    await node.waitForPod('commanded', 'is ready', isReady);
    const [container] = await bed().runtime.running(node.podName('commanded'));
    await bed().runtime.exec(container?.id ?? '', 'rm', '/tmp/ready');
    await node.waitForPod('commanded', 'is not ready', (pod) => !isReady(pod));
    await expectPodExplained(node, node.podName('commanded'), 'readiness-failing');
    await bed().runtime.exec(container?.id ?? '', 'touch', '/tmp/ready');
    await node.waitForPod('commanded', 'is ready again', isReady);
    await expectPodExplained(node, node.podName('commanded'), 'probe-flapping', { oneScreen: true });
    expect(await node.events('commanded', 'Unhealthy')).not.toEqual([]);
    // The output ends its line, so the message has several.
    expect((await node.log()).join('\n')).toContain('Readiness probe failed: cat: ');
  });

  it('are counted', async () => {
    await node.waitForPod('serving', 'is ready', isReady);
    const counted = /^prober_probe_total\{container="main",.*probe_type="Readiness",result="successful"\} \d+$/m;
    await untilHolds(async () => expect(await node.kubelet.ask('/metrics/probes')).toMatch(counted));
  });

  it('need not be made again after a kill -9 for a pod to be shown as it was', async () => {
    await node.waitForPod('serving', 'is ready', isReady);
    await node.waitForPod('commanded', 'is ready', isReady);
    await node.end('SIGKILL');
    await node.start();
    await node.untilUp();
    const seen = new Set<unknown>();
    const until = performance.now() + 3_000;
    while (performance.now() < until) {
      for (const name of ['serving', 'commanded']) {
        const status = statusOf((await node.pod(name)) ?? podManifest(name));
        if (status !== undefined) seen.add(`${name} started ${status.started} ready ${status.ready}`);
      }
      await aWhile(100);
    }
    expect([...seen].sort()).toEqual(['commanded started true ready true', 'serving started true ready true']);
  });
});

const served: Probe = { httpGet: { path: '/', port: 'web' } };
const serving = podManifest('serving', {
  containers: [
    main({
      command: [...script('mkdir /www; echo hello > /www/index.html; sleep 4; exec httpd -f -p 8080 -h /www')],
      ports: [{ name: 'web', containerPort: 8080 }],
      startupProbe: everySecond(served, 30),
      readinessProbe: everySecond(served),
      livenessProbe: everySecond({ tcpSocket: { port: 8080 } }),
    }),
  ],
});
const failing = podManifest('failing', {
  terminationGracePeriodSeconds: 300,
  containers: [
    main({
      command: [...script('trap "" TERM; while :; do sleep 1; done')],
      livenessProbe: { ...everySecond({ tcpSocket: { port: 9 } }, 2), terminationGracePeriodSeconds: 1 },
    }),
  ],
});
const commanded = podManifest('commanded', {
  containers: [
    main({
      command: [...script(`touch /tmp/ready; ${untilTerm[2]}`)],
      env: [{ name: 'FILE', value: '/tmp/ready' }],
      readinessProbe: everySecond({ exec: { command: ['cat', '$(FILE)'] } }, 1),
    }),
  ],
});
