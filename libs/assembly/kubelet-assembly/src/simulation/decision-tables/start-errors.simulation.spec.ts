import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container } from '@podwright/kube-types';
import { PodScene, container } from './pod-scene.js';

interface Row {
  readonly row: string;
  readonly own?: Partial<Container>;
  readonly arrange?: (scene: PodScene) => void;
  readonly reason: string;
  readonly message: string;
  /** Of the container that fails; the other one is started. */
  readonly events: readonly string[];
}

const broken = { code: 'unknown' as const, message: 'it is broken', times: Infinity };
const failing =
  (rpc: 'createContainer' | 'startContainer') =>
  ({ node }: PodScene): void =>
    void node.runtime.faults.fail({ rpc, subject: 'main' }, broken);
const postStart = { lifecycle: { postStart: { exec: { command: ['greet'] } } } };
const missing = { valueFrom: { configMapKeyRef: { name: 'absent', key: 'k' } } };

const rows: readonly Row[] = [
  {
    row: 'generate config (env) | CreateContainerConfigError | Failed',
    own: { env: [{ name: 'A', ...missing }] },
    reason: 'CreateContainerConfigError',
    message: 'configMap default/absent',
    events: ["Failed: Error: couldn't get configMap default/absent"],
  },
  {
    row: 'generate config (runAsNonRoot) | CreateContainerConfigError | Failed',
    own: { securityContext: { runAsNonRoot: true } },
    reason: 'CreateContainerConfigError',
    message: 'container has runAsNonRoot and image will run as root',
    events: ['Failed: Error: container has runAsNonRoot and image will run as root'],
  },
  {
    row: 'CreateContainer | CreateContainerError | Failed',
    arrange: failing('createContainer'),
    reason: 'CreateContainerError',
    message: 'it is broken',
    events: ['Failed: Error: it is broken'],
  },
  {
    row: 'StartContainer | RunContainerError | Failed',
    arrange: failing('startContainer'),
    reason: 'RunContainerError',
    message: 'it is broken',
    events: ['Created: Container created', 'Failed: Error: it is broken'],
  },
  {
    row: 'postStart hook (blocking) | PostStartHookError, container killed (event FailedPostStartHook)',
    own: postStart,
    arrange: ({ answers }) => void answers.set('greet', { exitCode: 3, stderr: 'no' }),
    reason: 'PostStartHookError',
    message: 'Exec lifecycle hook ([greet]) for Container "main" in Pod "web_default(uid-web)" failed - error: ',
    events: [
      'Created: Container created',
      'Started: Container started',
      'FailedPostStartHook: PostStartHook failed',
      'Killing: FailedPostStartHook',
    ],
  },
  {
    row: 'ensure image | reason of the image pull | Failed',
    own: { imagePullPolicy: 'Never' },
    reason: 'ErrImageNeverPull',
    message: 'Container image "registry.test/main:1" is not present with pull policy of Never',
    events: [
      'ErrImageNeverPull: Container image "registry.test/main:1" is not present with pull policy of Never',
      'Failed: Error: ErrImageNeverPull',
    ],
  },
];

describe('starting one container', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ own = {}, arrange, reason, message, events }) => {
    scene = await PodScene.open();
    scene.node.runtime.store.load('registry.test/second:1');
    if (own.imagePullPolicy === undefined) scene.node.runtime.store.load('registry.test/main:1');
    arrange?.(scene);
    scene.want({ containers: [container('main', own), container('second')] });
    await scene.node.until(() => scene.waiting() === reason);
    expect(scene.containerStatus('main')?.state?.waiting?.message).toContain(message);
    const field = 'spec.containers{main}';
    const told = scene.node.events(scene.pod).filter(({ fieldPath }) => fieldPath === field);
    const texts = told.map((event) => `${event.reason}: ${event.message}`).filter((text) => !text.startsWith('Pulled'));
    expect(texts.slice(0, events.length)).toEqual(events.map((text) => expect.stringContaining(text) as unknown));
    expect(scene.containerStatus('second')?.state?.running).toBeDefined();
  });

  it('a failed start that leaves the container created is tried again with the back-off of failed syncs', async () => {
    scene = await PodScene.open();
    failing('startContainer')(scene);
    scene.want({});
    await scene.node.until(() => scene.times('startContainer').length === 4, 120_000);
    // The event of the sandbox causes the second try.
    const times = scene.times('startContainer').slice(1);
    const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(9_000);
  });

  describe('restart count of the new container', () => {
    it.each([
      { row: 'newest CRI record over all sandboxes + 1', lose: [], count: 3 },
      { row: 'no record: highest N + 1 of the log files', lose: ['main'], count: 3 },
    ])('$row', async ({ lose, count }) => {
      scene = await PodScene.open({ runtime: { writesLogFiles: true } });
      scene.programs.set('main', { exitAfterMs: 10, exitCode: 1 });
      scene.want({});
      await scene.node.until(() => scene.record('main')?.config.metadata?.attempt === 2, 120_000);
      await scene.pass(1_000);
      for (const { id } of scene.node.runtime.control.containers().filter(({ name }) => lose.includes(name))) {
        scene.node.runtime.control.loseContainer(id);
      }
      await scene.node.until(() => (scene.record('main')?.config.metadata?.attempt ?? 0) >= count, 120_000);
      expect(scene.record('main')?.config.metadata?.attempt).toBe(count);
      expect(scene.record('main')?.config.annotations?.['io.kubernetes.container.restartCount']).toBe(`${count}`);
      expect(scene.record('main')?.config.logPath).toBe(`main/${count}.log`);
    });

    it('continues over a sandbox recreation, also for an init container whose record and logs are removed for it', async () => {
      scene = await PodScene.open({ runtime: { writesLogFiles: true } });
      scene.programs.set('init', { exitAfterMs: 10 });
      scene.want({ initContainers: [container('init')] });
      await scene.ready();
      scene.node.runtime.control.killSandbox(scene.node.runtime.control.sandboxes[0]?.id ?? '');
      await scene.node.until(() => scene.record('main')?.config.metadata?.attempt === 1);
      expect(scene.record('init')?.config.metadata?.attempt).toBe(1);
      expect(scene.record('init')?.config.logPath).toBe('init/1.log');
    });
  });
});
