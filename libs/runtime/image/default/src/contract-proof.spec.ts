import { breaks, describeContractProof } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { EnsureImageRequest, ImageManager } from '@podwright/image-interface';
import { describeImageManagerContract } from '@podwright/image-interface/contract';
import type { ImageManagerHarness } from '@podwright/image-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';

type Broken = (good: ImageManagerHarness, events: EventRecorder) => Partial<ImageManagerHarness>;
type Ensure = ImageManager['ensureImageExists'];

const broken =
  (
    ensure: (request: EnsureImageRequest, good: Ensure, events: EventRecorder, call: number) => ReturnType<Ensure>,
  ): Broken =>
  ({ manager }, events) => {
    let calls = 0;
    const good: Ensure = (request) => manager.ensureImageExists(request);
    return { manager: breaks(manager, { ensureImageExists: (request) => ensure(request, good, events, ++calls) }) };
  };
/** One that takes the request for another. */
const asking = (change: (request: EnsureImageRequest, call: number) => Partial<EnsureImageRequest>): Broken =>
  broken((request, good, _events, call) => good({ ...request, ...change(request, call) }));
const withPolicy = (pullPolicy: EnsureImageRequest['pullPolicy']): Broken => asking(() => ({ pullPolicy }));
const ofPod = ({ pod }: EnsureImageRequest, uid: string): Partial<EnsureImageRequest> => ({
  pod: { ...pod, metadata: { ...pod.metadata, uid } },
});
const giving = (imageRef: (given: string, call: number) => string): Broken =>
  broken(async (request, good, _events, call) => ({ imageRef: imageRef((await good(request)).imageRef, call) }));
const failing = (reason: string): Broken =>
  broken((request, good) =>
    good(request).catch((error: unknown) => {
      const { message, code } = KubeletError.from(error);
      throw new KubeletError(message, { code, reason });
    }),
  );
const oneMoreEvent = broken(async (request, good, events) => {
  const outcome = good(request);
  await outcome.catch(() => undefined);
  events.event(request.eventObject, 'Normal', 'Pulled', 'once more');
  return outcome;
});
/** One that pulls something before. */
const pullsFirst = broken(async (request, good) => {
  await good({ ...request, image: 'other:1', pullPolicy: 'Always' });
  return good(request);
});

describeContractProof(
  'ImageManager',
  (create) => describeImageManagerContract('a broken ImageManager', create),
  createContractHarness,
  {
    'uses a present image with %s': {
      'it pulls all the same': withPolicy('Always'),
      'it gives no reference': giving(() => ''),
      'there is one more event': oneMoreEvent,
      'the event is about something else': asking(({ pod }) => ({
        eventObject: { kind: 'Pod', pod, fieldPath: 'spec.containers{other}' },
      })),
    },
    'pulls an absent image once with IfNotPresent, and each time with Always': {
      'it pulls each time': withPolicy('Always'),
      'it pulls once only': withPolicy('IfNotPresent'),
      'it gives no reference': giving(() => ''),
      'there is one more event': oneMoreEvent,
      'the reference is another when it was there': giving((given, call) => (call === 2 ? 'other' : given)),
      'the reference is another after the next pull': giving((given, call) => (call === 3 ? 'other' : given)),
    },
    'takes a name without a tag as the latest': {
      'the name has no tag': asking(({ image }) => ({ image: `${image}:none` })),
      'it pulls all the same': withPolicy('Always'),
    },
    'rejects with ErrImageNeverPull when the image is absent and must not be pulled': {
      'it pulls all the same': withPolicy('IfNotPresent'),
      'the reason is another': failing('ErrImagePull'),
      'it pulls another': pullsFirst,
      'there is one more event': oneMoreEvent,
    },
    'rejects with InvalidImageName, whatever the policy': {
      'with Never it looks for it': broken((request, good) =>
        request.pullPolicy === 'Never'
          ? Promise.reject(new KubeletError('absent', { code: 'unknown', reason: 'ErrImageNeverPull' }))
          : good(request),
      ),
      'the reason is another': failing('ErrImagePull'),
      'it pulls another': broken((request, good, events, call) =>
        good({ ...request, image: 'other:1', pullPolicy: 'Always', eventObject: request.eventObject }).then(() =>
          call > 0 ? good(request) : { imageRef: '' },
        ),
      ),
      'there is one more event': oneMoreEvent,
    },
    'rejects with ImageInspectError when the runtime cannot tell, and does not pull': {
      'it takes the image for absent': () => ({ failInspections: () => undefined }),
      'the reason is another': failing('ErrImagePull'),
      'it pulls before': (good, events) => ({
        ...broken(async (request, ensure) => {
          await ensure({ ...request, pullPolicy: 'Always' });
          good.failInspections();
          return ensure({ ...request, image: 'other:1' });
        })(good, events),
        failInspections: () => undefined,
      }),
    },
    'rejects with ErrImagePull, then backs off until its time has come': {
      'it tells that it backs off at once': failing('ImagePullBackOff'),
      'it does not back off': asking((request, call) => ofPod(request, `uid-${call}`)),
      'it pulls while it backs off': broken((request, good, _events, call) => {
        if (call === 2) void good({ ...request, image: 'other:1' }).catch(() => undefined);
        return good(request);
      }),
      'there is one more event': oneMoreEvent,
      'it backs off for ever': ({ pulls }) => ({
        pulls: (behaviour) => (behaviour === 'work' ? undefined : pulls(behaviour)),
      }),
    },
    'backs off for one pod and one image only': {
      'it does for all pods': asking((request) => ofPod(request, 'uid-1')),
      'it does for all images': asking(() => ({ image: 'web:1' })),
      'it does for an image that is there': withPolicy('Always'),
    },
    'serves many pods that ask for the same image at once': {
      'it serves one': broken((request, good, _events, call) =>
        call === 1 ? good(request) : Promise.reject(new KubeletError('busy', { code: 'unavailable' })),
      ),
      'it serves none': broken(() => Promise.reject(new KubeletError('busy', { code: 'unavailable' }))),
    },
    'does not let a pod wait that has given up': {
      'it overlooks the signal': asking(() => ({ signal: new AbortController().signal })),
      'it gives a reference': broken((request, good) => good(request).catch(() => ({ imageRef: 'sha256:1' }))),
      'there is no reason': failing(''),
    },
  },
);
