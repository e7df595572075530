import { describe, expect, it } from '@jest/globals';
import type { Image, ImageService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { ErrorCode } from '@podwright/errors';
import type { EnsureImageRequest } from '@podwright/image-interface';
import type { ImageCredentials, TrackedCredential } from '@podwright/image-credentials-interface';
import { nodeCredential, secretCredential } from '@podwright/image-pull-records-interface/contract';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VolatilePodCheckpoints } from '@podwright/pod-checkpoint-interface/contract';
import { VirtualClock } from '@podwright/time';
import { ScriptedRecords } from './fixtures/scripted-records.js';
import type { PullingImageManager } from './pulling-image-manager.js';
import type { PullingImageManagerConfig } from './pulling-image-manager-config.js';
import { createPullingImageManager } from './pulling-image-manager.module.js';

class FakeImages implements Pick<ImageService, 'imageStatus' | 'pullImage'> {
  readonly present = new Map<string, string>();
  readonly pulls: string[] = [];
  statusError: Error | undefined;
  pullError: Error | undefined;
  constructor(
    private readonly clock: VirtualClock,
    private readonly pullMs: number,
  ) {}
  readonly handlers = new Set<string | undefined>();
  imageStatus: ImageService['imageStatus'] = async ({ image }) => {
    this.handlers.add(image?.runtimeHandler);
    if (this.statusError !== undefined) throw this.statusError;
    const id = this.present.get(image?.image ?? '');
    return { image: id === undefined ? undefined : ({ id, size: 4321n } as Image), info: {} };
  };
  readonly users: (string | undefined)[] = [];
  /** How many pulls fail first. */
  refusals = 0;
  pullImage: ImageService['pullImage'] = async ({ image, auth }) => {
    this.handlers.add(image?.runtimeHandler);
    this.users.push(auth?.username);
    if (this.users.length <= this.refusals) {
      throw new KubeletError(`refusal ${this.users.length}`, { code: 'permission-denied' });
    }
    const name = image?.image ?? '';
    this.pulls.push(name);
    if (this.pullMs > 0) await this.clock.sleep(this.pullMs);
    if (this.pullError !== undefined) throw this.pullError;
    this.present.set(name, `sha256:${name}`);
    return { imageRef: `sha256:${name}` };
  };
}

interface Setup {
  readonly clock: VirtualClock;
  readonly images: FakeImages;
  readonly manager: PullingImageManager;
  readonly events: string[];
  readonly logger: ReturnType<typeof createMemoryLogger>;
  readonly metrics: ReturnType<typeof createMetricsRegistry>;
  /** What fits the image; a test changes it. */
  readonly keyring: { found: readonly TrackedCredential[]; error?: Error; lookups: number };
  readonly records: ScriptedRecords;
  readonly journal: RecordingJournal;
}

function setUp(
  options: Partial<PullingImageManagerConfig> = {},
  pullMs = 0,
  observed = false,
  withRecords = true,
): Setup {
  const clock = new VirtualClock();
  const images = new FakeImages(clock, pullMs);
  const events: string[] = [];
  const recorder = {
    event: (_: unknown, type: string, reason: string, message: string) =>
      void events.push(`${type} ${reason} ${message}`),
  };
  const [logger, metrics] = [createMemoryLogger(), createMetricsRegistry()];
  const checkpoints = new VolatilePodCheckpoints();
  const starts = {
    imagePullStarted: (uid: string) => void events.push(`started ${uid}`),
    imagePullFinished: (uid: string) => void events.push(`finished ${uid}`),
  };
  const keyring: Setup['keyring'] = { found: [], lookups: 0 };
  const credentials: Pick<ImageCredentials, 'lookup'> = {
    lookup: async () => {
      keyring.lookups += 1;
      if (keyring.error !== undefined) throw keyring.error;
      return keyring.found;
    },
  };
  const records = new ScriptedRecords();
  const journal = new RecordingJournal();
  const parts = { images: images as unknown as ImageService, events: recorder, credentials, checkpoints };
  const deps = {
    ...parts,
    clock,
    logger,
    metrics,
    journal,
    ...(observed && { starts }),
    ...(withRecords && { records }),
  };
  const manager = createPullingImageManager(deps, options);
  return { clock, images, manager, events, logger, metrics, keyring, records, journal };
}

function request(
  image: string,
  pullPolicy: EnsureImageRequest['pullPolicy'] = 'IfNotPresent',
  uid = 'u1',
): EnsureImageRequest {
  const pod: Pod = { metadata: { uid, name: 'web', namespace: 'default' }, spec: { containers: [] } };
  return { pod, image, pullPolicy, pullSecrets: [], sandboxConfig: {}, eventObject: { kind: 'Pod', pod } };
}

const failure = (code: ErrorCode, message: string): KubeletError => new KubeletError(message, { code });
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.catch((error: unknown) => {
    const { reason, message } = KubeletError.from(error);
    return { reason, message };
  });

describe('PullingImageManager', () => {
  it('uses a present image and says so', async () => {
    const { images, manager, events } = setUp();
    images.present.set('busybox:latest', 'sha256:1');
    await expect(manager.ensureImageExists(request('busybox'))).resolves.toEqual({ imageRef: 'sha256:1' });
    await expect(manager.ensureImageExists(request('busybox', 'Never'))).resolves.toEqual({ imageRef: 'sha256:1' });
    expect(events[0]).toBe(
      'Normal Pulled Container image "busybox" already present on machine and can be accessed by the pod',
    );
    expect(images.pulls).toEqual([]);
  });

  it.each([
    [{}, undefined],
    [{ runtimeHandler: '' }, undefined],
    [{ runtimeHandler: 'runsc' }, 'runsc'],
  ])('asks for the image and pulls it with the handler of %j', async (more, handler) => {
    const { images, manager } = setUp();
    await manager.ensureImageExists({ ...request('busybox'), ...more });
    expect(images.pulls).toEqual(['busybox:latest']);
    expect([...images.handlers]).toEqual([handler]);
  });

  it('pulls an absent image, and always with Always', async () => {
    const { clock, images, manager, events, metrics } = setUp({}, 1234.9);
    const first = manager.ensureImageExists(request('busybox'));
    await clock.advance(2000);
    await expect(first).resolves.toEqual({ imageRef: 'sha256:busybox:latest' });
    expect(events).toEqual([
      'Normal Pulling Pulling image "busybox"',
      'Normal Pulled Successfully pulled image "busybox" in 1.234s (1.234s including waiting). Image size: 4321 bytes.',
    ]);
    const second = manager.ensureImageExists(request('busybox', 'Always'));
    await clock.advance(2000);
    await second;
    expect(images.pulls).toHaveLength(2);
    expect(await metrics.render()).toContain(
      'kubelet_image_pull_duration_seconds_count{image_size_in_bytes="0-10MB"} 2',
    );
  });

  it('tells whoever measures the starts of pods when pulls begin and end', async () => {
    const { clock, manager, events } = setUp({}, 1000, true);
    const pull = manager.ensureImageExists(request('busybox'));
    await clock.advance(2000);
    await pull;
    await manager.ensureImageExists(request('busybox', 'IfNotPresent', 'u2'));
    await manager.ensureImageExists(request('absent', 'Never', 'u3')).catch(() => undefined);
    expect(events.filter((line) => /^(started|finished)/.test(line))).toEqual([
      'started u1',
      'finished u1',
      'finished u2',
    ]);
  });

  it('counts requests by what they found', async () => {
    const { manager, metrics } = setUp();
    const ask = (image: string, policy?: EnsureImageRequest['pullPolicy']): Promise<unknown> =>
      manager.ensureImageExists(request(image, policy)).catch(() => undefined);
    await ask('busybox');
    await ask('busybox');
    await ask('busybox', 'Always');
    await ask('absent', 'Never');
    await ask('not a name');
    const counted = (await metrics.render()).split('\n').filter((line) => /ensure_image_requests_total\{/.test(line));
    expect(counted.map((line) => line.replace(/.*\{/, ''))).toEqual([
      'present_locally="false",pull_policy="ifnotpresent",pull_required="true"} 1',
      'present_locally="false",pull_policy="never",pull_required="unknown"} 1',
      'present_locally="true",pull_policy="ifnotpresent",pull_required="false"} 1',
      'present_locally="unknown",pull_policy="always",pull_required="true"} 1',
      'present_locally="unknown",pull_policy="ifnotpresent",pull_required="unknown"} 1',
    ]);
  });

  it('pulls one image at a time by default, first come first served', async () => {
    const { clock, images, manager, events, metrics } = setUp({}, 1000);
    const both = Promise.all([manager.ensureImageExists(request('a')), manager.ensureImageExists(request('b'))]);
    await clock.advance(500);
    expect(images.pulls).toEqual(['a:latest']);
    await clock.advance(2000);
    await both;
    expect(images.pulls).toEqual(['a:latest', 'b:latest']);
    expect(events.at(-1)).toContain('in 1s (2s including waiting)');
    expect(await metrics.render()).toContain('kubelet_image_pull_duration_seconds_sum{image_size_in_bytes="0-10MB"} 3');
  });

  it('pulls in parallel when told to', async () => {
    const { clock, images, manager } = setUp({ parallelPulls: 0 }, 1000);
    const both = Promise.all([manager.ensureImageExists(request('a')), manager.ensureImageExists(request('b'))]);
    await clock.advance(1);
    expect(images.pulls).toHaveLength(2);
    await clock.advance(1000);
    await both;
  });

  it('does not wait on for a place when its pod is going away', async () => {
    const { clock, images, manager, events } = setUp({}, 1000);
    const first = manager.ensureImageExists(request('a'));
    const controller = new AbortController();
    const second = outcome(manager.ensureImageExists({ ...request('b'), signal: controller.signal }));
    await clock.advance(100);
    controller.abort(failure('cancelled', 'pod is terminating'));
    await expect(second).resolves.toMatchObject({ reason: 'ErrImagePull' });
    expect(events.filter((line) => line.startsWith('Warning'))).toEqual([]);
    const again = manager.ensureImageExists(request('b'));
    await clock.advance(2000);
    await expect(again).resolves.toHaveProperty('imageRef');
    await first;
    expect(images.pulls).toEqual(['a:latest', 'b:latest']);
  });

  it('refuses names that cannot be parsed, images that cannot be inspected, and absent ones with Never', async () => {
    const { images, manager, events } = setUp();
    const invalid =
      'Failed to apply default image tag "B": couldn\'t parse image name "B": invalid reference format: repository name (library/B) must be lowercase';
    await expect(outcome(manager.ensureImageExists(request('B')))).resolves.toEqual({
      reason: 'InvalidImageName',
      message: invalid,
    });
    const never = 'Container image "b" is not present with pull policy of Never';
    await expect(outcome(manager.ensureImageExists(request('b', 'Never')))).resolves.toEqual({
      reason: 'ErrImageNeverPull',
      message: never,
    });
    images.statusError = failure('unknown', 'broken store');
    const inspect = 'Failed to inspect image "": rpc error: code = Unknown desc = broken store';
    await expect(outcome(manager.ensureImageExists(request('b')))).resolves.toEqual({
      reason: 'ImageInspectError',
      message: inspect,
    });
    expect(events).toEqual([
      `Warning InspectFailed ${invalid}`,
      `Warning ErrImageNeverPull ${never}`,
      `Warning InspectFailed ${inspect}`,
    ]);
  });

  it('has no event for a question about an image that is cancelled', async () => {
    const { images, manager, events } = setUp();
    images.statusError = failure('cancelled', 'context canceled');
    const signal = AbortSignal.abort(images.statusError);
    await expect(outcome(manager.ensureImageExists({ ...request('b'), signal }))).resolves.toMatchObject({
      reason: 'ImageInspectError',
    });
    expect(events).toEqual([]);
  });

  it('backs off per pod and image after a failed pull, telling why', async () => {
    const { clock, images, manager, events, journal } = setUp();
    images.pullError = failure('not-found', 'no such manifest');
    const text = 'rpc error: code = NotFound desc = no such manifest';
    await expect(outcome(manager.ensureImageExists(request('b')))).resolves.toEqual({
      reason: 'ErrImagePull',
      message: text,
    });
    await expect(outcome(manager.ensureImageExists(request('b')))).resolves.toEqual({
      reason: 'ImagePullBackOff',
      message: `Back-off pulling image "b": ErrImagePull: ${text}`,
    });
    expect(events).toEqual([
      'Normal Pulling Pulling image "b"',
      `Warning Failed Failed to pull image "b": ${text}`,
      'Normal BackOff Back-off pulling image "b"',
    ]);
    const backOffUntilMs = clock.now() + 10_000;
    expect(journal.of('image.pull')).toMatchObject([
      { pod: { uid: 'u1' }, image: 'b', state: 'queued' },
      { state: 'pulling' },
      { state: 'failed', reason: 'ErrImagePull', error: text, durationMs: 0, backOffUntilMs },
    ]);
    await outcome(manager.ensureImageExists(request('b', 'IfNotPresent', 'u2')));
    expect(images.pulls).toHaveLength(2);
    await clock.advance(10_000);
    await outcome(manager.ensureImageExists(request('b')));
    expect(images.pulls).toHaveLength(3);
    await clock.advance(19_999);
    await expect(outcome(manager.ensureImageExists(request('b')))).resolves.toMatchObject({
      reason: 'ImagePullBackOff',
    });
    await clock.advance(1);
    images.pullError = undefined;
    await expect(manager.ensureImageExists(request('b'))).resolves.toEqual({ imageRef: 'sha256:b:latest' });
    expect(journal.of('image.pull').at(-1)).toMatchObject({ state: 'pulled', sizeBytes: 4321 });
  });

  it.each([
    [
      'RegistryUnavailable: timeout',
      'RegistryUnavailable',
      'image pull failed for b because the registry is unavailable: timeout',
    ],
    [
      'SignatureValidationFailed: no key',
      'SignatureValidationFailed',
      'image pull failed for b because the signature validation failed: no key',
    ],
    ['plain trouble', 'ErrImagePull', 'plain trouble'],
  ])('maps the error %s', async (error, reason, message) => {
    const { images, manager } = setUp();
    images.pullError = failure('unknown', error);
    await expect(outcome(manager.ensureImageExists(request('b')))).resolves.toEqual({ reason, message });
  });

  it('limits pulls per second', async () => {
    const { clock, manager } = setUp({ registryPullQps: 1, registryBurst: 2 });
    await manager.ensureImageExists(request('a'));
    await manager.ensureImageExists(request('b'));
    await expect(outcome(manager.ensureImageExists(request('c')))).resolves.toEqual({
      reason: 'ErrImagePull',
      message: 'pull QPS exceeded',
    });
    await clock.advance(1000);
    await manager.ensureImageExists(request('d'));
  });

  describe('with credentials', () => {
    const [one, two] = [secretCredential('one'), secretCredential('two')];
    it.each<[string, readonly TrackedCredential[], number, readonly (string | undefined)[]]>([
      ['none for the image', [], 0, [undefined]],
      ['the first that works', [one, two], 1, ['one', 'two']],
      ['none that works', [one, two], 9, ['one', 'two']],
    ])('tries %s', async (_what, found, refusals, tried) => {
      const { images, manager, keyring } = setUp();
      keyring.found = found;
      images.refusals = refusals;
      const outcomeOfPull = await outcome(manager.ensureImageExists(request('quay.io/app', 'Always')));
      expect(images.users).toEqual(tried);
      if (refusals === 9) {
        const message =
          '[rpc error: code = PermissionDenied desc = refusal 1, rpc error: code = PermissionDenied desc = refusal 2]';
        expect(outcomeOfPull).toEqual({ reason: 'ErrImagePull', message });
      } else expect(outcomeOfPull).toHaveProperty('imageRef');
    });

    it('names what is wrong with them as the reason to wait', async () => {
      const { images, manager, keyring, records } = setUp();
      keyring.error = failure('invalid-argument', 'pull secret "default/broken" is no docker configuration');
      const message = 'pull secret "default/broken" is no docker configuration';
      expect(await outcome(manager.ensureImageExists(request('a', 'Always')))).toEqual({ reason: message, message });
      expect([images.pulls, records.calls]).toEqual([[], []]);
    });
  });

  describe('with records of pulls', () => {
    it.each<[string, readonly TrackedCredential[], number, string]>([
      [
        'the credential that worked',
        [secretCredential('one'), secretCredential('two')],
        1,
        'pulled b sha256:b:latest two',
      ],
      ['a credential of the node', [nodeCredential], 0, 'pulled b sha256:b:latest node'],
      ['none', [], 0, 'pulled b sha256:b:latest anonymous'],
      ['a failure', [secretCredential('one')], 9, 'failed b'],
    ])('frames a pull with %s', async (_what, found, refusals, end) => {
      const { images, manager, keyring, records } = setUp();
      keyring.found = found;
      images.refusals = refusals;
      await outcome(manager.ensureImageExists(request('b')));
      expect(records.calls).toEqual(['intent b', end]);
    });

    it('frames a pull that is in back-off, and does not pull without an intent', async () => {
      const { images, manager, records, events } = setUp();
      images.pullError = failure('not-found', 'no such manifest');
      await outcome(manager.ensureImageExists(request('b')));
      await outcome(manager.ensureImageExists(request('b')));
      expect(records.calls).toEqual(['intent b', 'failed b', 'intent b', 'failed b']);
      records.intentError = failure('internal', 'failed to record image pull intent: disk is full');
      events.length = 0;
      const reason = 'failed to record image pull intent: disk is full';
      expect(await outcome(manager.ensureImageExists(request('c')))).toEqual({
        reason,
        message: `Failed to record image pull intent for container image "c": ${reason}`,
      });
      expect([images.pulls.includes('c:latest'), events]).toEqual([false, []]);
    });

    it('pulls a present image that the pod must show to have access to, and asks for credentials once', async () => {
      const { images, manager, records, keyring, events, metrics } = setUp();
      images.present.set('b:latest', 'sha256:1');
      keyring.found = [secretCredential('one')];
      records.mustPull = true;
      await manager.ensureImageExists(request('b'));
      expect(keyring.lookups).toBe(1);
      expect(records.checks).toEqual(['b sha256:1 one']);
      expect(events[0]).toBe('Normal Pulling Pulling image "b"');
      expect(await metrics.render()).toContain(
        'present_locally="true",pull_policy="ifnotpresent",pull_required="true"} 1',
      );
    });

    it('does not tell a pod that an image is there which it may not use', async () => {
      const { images, manager, records, events } = setUp();
      images.present.set('b:latest', 'sha256:1');
      records.mustPull = true;
      const message = 'Container image "b" is not present with pull policy of Never';
      expect(await outcome(manager.ensureImageExists(request('b', 'Never')))).toEqual({
        reason: 'ErrImageNeverPull',
        message,
      });
      expect(events).toEqual([`Warning ErrImageNeverPull ${message}`]);
    });

    it('fails when it cannot be told what the pod may use', async () => {
      const { images, manager, records, keyring, metrics } = setUp();
      images.present.set('b:latest', 'sha256:1');
      records.mustPull = true;
      keyring.error = failure('invalid-argument', 'broken secret');
      const reason = 'broken secret';
      expect(await outcome(manager.ensureImageExists(request('b')))).toEqual({ reason, message: reason });
      expect(await metrics.render()).toContain(
        'present_locally="true",pull_policy="ifnotpresent",pull_required="unknown"} 1',
      );
    });

    it('checks nothing without them, and says nothing of it', async () => {
      const { images, manager, events } = setUp({}, 0, false, false);
      images.present.set('b:latest', 'sha256:1');
      await manager.ensureImageExists(request('b'));
      expect(events).toEqual(['Normal Pulled Container image "b" already present on machine']);
    });
  });

  describe('progress', () => {
    it('shows what is pulled, and the queue in its order', async () => {
      const { clock, manager } = setUp({}, 1_000);
      const all = Promise.all(
        ['a', 'b', 'c'].map((image) => manager.ensureImageExists(request(image, 'Always', `uid-${image}`))),
      );
      await clock.advance(400);
      const pull = { podNamespace: 'default', podName: 'web', waitedMs: 400 };
      expect(manager.pulls()).toEqual([
        { ...pull, image: 'a', podUid: 'uid-a', state: 'pulling', pulledMs: 400 },
        { ...pull, image: 'b', podUid: 'uid-b', state: 'queued', pulledMs: 0, queuePlace: 1 },
        { ...pull, image: 'c', podUid: 'uid-c', state: 'queued', pulledMs: 0, queuePlace: 2 },
      ]);
      await clock.advance(1_000);
      expect(manager.pulls().map(({ image, queuePlace, pulledMs }) => [image, queuePlace, pulledMs])).toEqual([
        ['b', undefined, 400],
        ['c', 1, 0],
      ]);
      await clock.advance(2_000);
      await all;
      expect([manager.pulls(), clock.pendingTimers]).toEqual([[], 0]);
    });

    it('speaks of what takes long, less and less often', async () => {
      const { clock, manager, logger } = setUp({}, 200_000);
      const controller = new AbortController();
      const first = manager.ensureImageExists(request('a'));
      const second = outcome(manager.ensureImageExists({ ...request('b'), signal: controller.signal }));
      await clock.advance(35_000);
      controller.abort(failure('cancelled', 'pod is terminating'));
      await clock.advance(200_000);
      await Promise.all([first, second]);
      const told = logger.entries.map(({ message, fields }) => [message, fields?.['image'], fields?.['elapsed']]);
      expect(told).toEqual([
        ['image is still being pulled', 'a', '10s'],
        ['image pull waits for others', 'b', '10s'],
        ['image is still being pulled', 'a', '30s'],
        ['image pull waits for others', 'b', '30s'],
        ['image is still being pulled', 'a', '1m10s'],
        ['image is still being pulled', 'a', '2m10s'],
        ['image is still being pulled', 'a', '3m10s'],
      ]);
      expect(logger.entries[1]?.fields).toMatchObject({ queuePlace: 1, queueLength: 1 });
      expect(clock.pendingTimers).toBe(0);
    });
  });
});
