import { describe, expect, it } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { ImageManager } from '../image-manager.js';
import { EventLog, requestFor } from './contract-requests.js';

/** One fresh manager, with a registry that has every image and a node that has none. */
export interface ImageManagerHarness {
  readonly manager: ImageManager;
  /** Puts an image on the node; `name` includes the tag. */
  load(name: string): void;
  /** Sets how pulls behave from now on; by default they work. Failing ones reject with `no such manifest`. */
  pulls(behaviour: 'work' | 'fail' | 'hang'): void;
  /** From now on the runtime fails to inspect images, with `broken store`. */
  failInspections(): void;
  /** Number of pull calls to the runtime until now. */
  pullCount(): number;
  /** Waits, or advances the virtual clock, and lets pending work proceed. */
  pass(ms: number): Promise<void>;
}

type Outcome = { readonly imageRef: string } | { readonly reason: string; readonly message: string };

/** Every implementation of {@link ImageManager} passes this suite; `create` gives a new instance per case. */
export function describeImageManagerContract(
  name: string,
  create: (events: EventRecorder) => Promise<ImageManagerHarness>,
): void {
  describe(`${name} as an ImageManager`, () => {
    const setUp = async (): Promise<
      ImageManagerHarness & { events: EventLog; ensure(...args: Parameters<typeof requestFor>): Promise<Outcome> }
    > => {
      const events = new EventLog();
      const harness = await create(events);
      const ensure = async (...args: Parameters<typeof requestFor>): Promise<Outcome> => {
        const outcome = outcomeOf(harness.manager.ensureImageExists(requestFor(...args)));
        await harness.pass(10);
        return outcome;
      };
      return { ...harness, events, ensure };
    };
    const some = { imageRef: expect.stringMatching(/./) };

    it.each(['IfNotPresent', 'Never'] as const)('uses a present image with %s', async (policy) => {
      const { ensure, load, pullCount, events } = await setUp();
      load('web:1');
      expect(await ensure('web:1', policy)).toEqual(some);
      expect(pullCount()).toBe(0);
      const already = 'already present on machine and can be accessed by the pod';
      expect(events.lines).toEqual([`Normal Pulled Container image "web:1" ${already}`]);
      expect(events.objects).toEqual([requestFor('web:1', policy).eventObject]);
    });

    it('pulls an absent image once with IfNotPresent, and each time with Always', async () => {
      const { ensure, pullCount, events } = await setUp();
      const first = await ensure('web:1', 'IfNotPresent');
      expect(first).toEqual(some);
      expect(events.lines).toEqual([
        'Normal Pulling Pulling image "web:1"',
        expect.stringMatching(
          /^Normal Pulled Successfully pulled image "web:1" in \S+ \(\S+ including waiting\)\. Image size: \d+ bytes\.$/,
        ),
      ]);
      expect(await ensure('web:1', 'IfNotPresent')).toEqual(first);
      expect(pullCount()).toBe(1);
      expect(await ensure('web:1', 'Always')).toEqual(first);
      expect(pullCount()).toBe(2);
    });

    it('takes a name without a tag as the latest', async () => {
      const { ensure, load, pullCount } = await setUp();
      load('web:latest');
      expect(await ensure('web', 'Never')).toEqual(some);
      expect(pullCount()).toBe(0);
    });

    it('rejects with ErrImageNeverPull when the image is absent and must not be pulled', async () => {
      const { ensure, pullCount, events } = await setUp();
      const message = 'Container image "web:1" is not present with pull policy of Never';
      expect(await ensure('web:1', 'Never')).toEqual({ reason: 'ErrImageNeverPull', message });
      expect(pullCount()).toBe(0);
      expect(events.lines).toEqual([`Warning ErrImageNeverPull ${message}`]);
    });

    it('rejects with InvalidImageName, whatever the policy', async () => {
      const { ensure, pullCount, events } = await setUp();
      for (const policy of ['Always', 'IfNotPresent', 'Never'] as const) {
        const outcome = await ensure('Web', policy);
        const why =
          'Failed to apply default image tag "Web": couldn\'t parse image name "Web": invalid reference format';
        expect(outcome).toEqual({ reason: 'InvalidImageName', message: expect.stringContaining(why) });
      }
      expect(pullCount()).toBe(0);
      expect(events.lines).toEqual(Array(3).fill(expect.stringMatching(/^Warning InspectFailed Failed to apply/)));
    });

    it('rejects with ImageInspectError when the runtime cannot tell, and does not pull', async () => {
      const { ensure, failInspections, pullCount } = await setUp();
      failInspections();
      const message = expect.stringContaining('broken store');
      expect(await ensure('web:1', 'IfNotPresent')).toEqual({ reason: 'ImageInspectError', message });
      expect(pullCount()).toBe(0);
    });

    it('rejects with ErrImagePull, then backs off until its time has come', async () => {
      const { ensure, pulls, pullCount, pass, events } = await setUp();
      pulls('fail');
      const message = expect.stringContaining('no such manifest');
      expect(await ensure('web:1', 'IfNotPresent')).toEqual({ reason: 'ErrImagePull', message });
      const backingOff = expect.stringMatching(/^Back-off pulling image "web:1": ErrImagePull: .*no such manifest$/);
      expect(await ensure('web:1', 'Always')).toEqual({ reason: 'ImagePullBackOff', message: backingOff });
      expect(pullCount()).toBe(1);
      expect(events.lines).toEqual([
        'Normal Pulling Pulling image "web:1"',
        expect.stringMatching(/^Warning Failed Failed to pull image "web:1": .*no such manifest$/),
        'Normal BackOff Back-off pulling image "web:1"',
      ]);
      pulls('work');
      await pass(300_000);
      expect(await ensure('web:1', 'IfNotPresent')).toEqual(some);
    });

    it('backs off for one pod and one image only', async () => {
      const { ensure, pulls, load } = await setUp();
      pulls('fail');
      await ensure('web:1', 'IfNotPresent');
      expect(await ensure('web:1', 'IfNotPresent', 'uid-2')).toMatchObject({ reason: 'ErrImagePull' });
      expect(await ensure('web:2', 'IfNotPresent')).toMatchObject({ reason: 'ErrImagePull' });
      load('web:1');
      expect(await ensure('web:1', 'IfNotPresent')).toEqual(some);
    });

    it('serves many pods that ask for the same image at once', async () => {
      const { manager, pass } = await setUp();
      const requests = ['1', '2', '3', '4'].map((uid) => requestFor('web:1', 'IfNotPresent', uid));
      const outcomes = Promise.all(requests.map((request) => outcomeOf(manager.ensureImageExists(request))));
      await pass(10);
      const [first, ...others] = await outcomes;
      expect(first).toEqual(some);
      expect(others).toEqual([first, first, first]);
    });

    it('does not let a pod wait that has given up', async () => {
      const { manager, pulls, pass } = await setUp();
      pulls('hang');
      const controller = new AbortController();
      const request = { ...requestFor('web:1', 'Always'), signal: controller.signal };
      const outcome = outcomeOf(manager.ensureImageExists(request));
      await pass(10);
      controller.abort(new KubeletError('pod is terminating', { code: 'cancelled' }));
      expect(await outcome).toEqual({ reason: expect.stringMatching(/./), message: expect.any(String) });
    });
  });
}

function outcomeOf(request: ReturnType<ImageManager['ensureImageExists']>): Promise<Outcome> {
  return request.catch((error: unknown) => {
    const { reason = '', message } = KubeletError.from(error);
    return { reason, message };
  });
}
