import { describe, expect, it } from '@jest/globals';
import type { Image, ImageService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { ErrorCode } from '@podwright/errors';
import type { EnsureImageRequest } from '@podwright/image-interface';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { VolatilePodMemory } from '@podwright/pod-memory-interface/contract';
import { VirtualClock } from '@podwright/time';
import { createPullingImageManager } from './pulling-image-manager.js';
import type { PullingImageManager } from './pulling-image-manager.js';
import type { PullingImageManagerConfig } from './pulling-image-manager-config.js';

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
}

function setUp(options: Partial<PullingImageManagerConfig> = {}, pullMs = 0, observed = false): Setup {
  const clock = new VirtualClock();
  const images = new FakeImages(clock, pullMs);
  const events: string[] = [];
  const recorder = {
    event: (_: unknown, type: string, reason: string, message: string) =>
      void events.push(`${type} ${reason} ${message}`),
  };
  const [logger, metrics] = [createMemoryLogger(), createMetricsRegistry()];
  const memory = new VolatilePodMemory();
  const starts = {
    imagePullStarted: (uid: string) => void events.push(`started ${uid}`),
    imagePullFinished: (uid: string) => void events.push(`finished ${uid}`),
  };
  const parts = { images: images as unknown as ImageService, events: recorder, memory, clock, logger, metrics };
  const deps = { ...parts, ...(observed && { starts }) };
  return { clock, images, manager: createPullingImageManager(deps, options), events, logger, metrics };
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
    const { clock, images, manager, events } = setUp({}, 1000);
    const both = Promise.all([manager.ensureImageExists(request('a')), manager.ensureImageExists(request('b'))]);
    await clock.advance(500);
    expect(images.pulls).toEqual(['a:latest']);
    await clock.advance(2000);
    await both;
    expect(images.pulls).toEqual(['a:latest', 'b:latest']);
    expect(events.at(-1)).toContain('in 1s (2s including waiting)');
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
    const { clock, images, manager } = setUp({}, 1000);
    const first = manager.ensureImageExists(request('a'));
    const controller = new AbortController();
    const second = outcome(manager.ensureImageExists({ ...request('b'), signal: controller.signal }));
    await clock.advance(100);
    controller.abort(failure('cancelled', 'pod is terminating'));
    await expect(second).resolves.toMatchObject({ reason: 'ErrImagePull' });
    await clock.advance(1000);
    await first;
    expect(images.pulls).toEqual(['a:latest']);
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

  it('backs off per pod and image after a failed pull, telling why', async () => {
    const { clock, images, manager, events } = setUp();
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

  describe('with pull secrets', () => {
    const secret = (...registries: string[]): EnsureImageRequest['pullSecrets'][number] => {
      const auths = Object.fromEntries(registries.map((registry) => [registry, { username: registry, password: 'p' }]));
      const data = { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') };
      return { type: 'kubernetes.io/dockerconfigjson', data };
    };

    it.each([
      ['none for the image', 'quay.io/app', [secret('other.io')], 0, [undefined]],
      ['the first that works', 'quay.io/app', [secret('quay.io/app', 'quay.io')], 1, ['quay.io/app', 'quay.io']],
      ['none that works', 'quay.io/app', [secret('quay.io/app'), secret('quay.io')], 9, ['quay.io/app', 'quay.io']],
      ['Docker’s own registry', 'busybox', [secret('https://index.docker.io/v1/')], 0, ['https://index.docker.io/v1/']],
    ])('tries %s', async (_what, image, pullSecrets, refusals, tried) => {
      const { images, manager } = setUp();
      images.refusals = refusals;
      const outcomeOfPull = await outcome(manager.ensureImageExists({ ...request(image, 'Always'), pullSecrets }));
      expect(images.users).toEqual(tried);
      if (refusals === 9) {
        const message =
          '[rpc error: code = PermissionDenied desc = refusal 1, rpc error: code = PermissionDenied desc = refusal 2]';
        expect(outcomeOfPull).toEqual({ reason: 'ErrImagePull', message });
      } else expect(outcomeOfPull).toHaveProperty('imageRef');
    });

    it('names a secret that is no docker configuration as the reason to wait', async () => {
      const { images, manager } = setUp();
      const broken = { metadata: { namespace: 'default', name: 'broken' }, type: 'kubernetes.io/dockercfg' };
      const pullSecrets = [{ ...broken, data: { '.dockercfg': Buffer.from('{').toString('base64') } }];
      const message = 'pull secret "default/broken" is no docker configuration: it is no JSON';
      expect(await outcome(manager.ensureImageExists({ ...request('a', 'Always'), pullSecrets }))).toEqual({
        reason: message,
        message,
      });
      expect(images.pulls).toEqual([]);
    });
  });
});
