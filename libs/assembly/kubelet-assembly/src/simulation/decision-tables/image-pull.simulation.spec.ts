import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container } from '@podwright/kube-types';
import { PodScene, container } from './pod-scene.js';

interface Row {
  readonly row: string;
  readonly own?: Partial<Container>;
  readonly arrange?: (scene: PodScene) => void;
  /** Of the waiting container; none: it runs. */
  readonly reason?: string;
  readonly message?: string;
  /** `<type> <reason>: <message>` of the first events of the container. */
  readonly events: readonly string[];
}

const image = 'registry.test/main:1';
const pullFails =
  (message: string) =>
  ({ node }: PodScene): void =>
    node.runtime.store.publish(image, { pullErrors: Array.from({ length: 9 }, () => ({ message })) });
const pulling = `Normal Pulling: Pulling image "${image}"`;
const failed = (reason: string): string => `Warning Failed: Error: ${reason}`;
const failedPull = (why: string): string => `Warning Failed: Failed to pull image "${image}": ${why}`;

const rows: readonly Row[] = [
  {
    row: 'unparsable image | InvalidImageName',
    own: { image: 'UPPER CASE' },
    reason: 'InvalidImageName',
    message: 'Failed to apply default image tag "UPPER CASE": ',
    events: ['Warning InspectFailed: Failed to apply default image tag "UPPER CASE": ', failed('InvalidImageName')],
  },
  {
    row: 'image status fails (not for Always) | ImageInspectError | the name is empty in this case',
    arrange: ({ node }) =>
      void node.runtime.faults.fail({ rpc: 'imageStatus' }, { code: 'unknown', message: 'sick', times: Infinity }),
    reason: 'ImageInspectError',
    message: 'Failed to inspect image "": ',
    events: ['Warning InspectFailed: Failed to inspect image "": ', failed('ImageInspectError')],
  },
  {
    row: 'Never and absent | ErrImageNeverPull',
    own: { imagePullPolicy: 'Never' },
    reason: 'ErrImageNeverPull',
    message: `Container image "${image}" is not present with pull policy of Never`,
    events: [
      `Warning ErrImageNeverPull: Container image "${image}" is not present with pull policy of Never`,
      failed('ErrImageNeverPull'),
    ],
  },
  {
    row: 'present and usable | event Pulled',
    arrange: ({ node }) => node.runtime.store.load(image),
    events: [`Normal Pulled: Container image "${image}" already present on machine`],
  },
  {
    row: 'in back-off | ImagePullBackOff | event BackOff (Normal); status message adds the previous reason and message',
    arrange: pullFails('no such thing'),
    reason: 'ImagePullBackOff',
    message: `Back-off pulling image "${image}": ErrImagePull: no such thing`,
    events: [
      pulling,
      failedPull('no such thing'),
      failed('ErrImagePull'),
      `Normal BackOff: Back-off pulling image "${image}"`,
      failed('ImagePullBackOff'),
    ],
  },
  {
    row: 'pull error | ErrImagePull',
    arrange: pullFails('no such thing'),
    reason: 'ErrImagePull',
    message: 'no such thing',
    events: [pulling, failedPull('no such thing'), failed('ErrImagePull')],
  },
  {
    row: 'pull error | RegistryUnavailable',
    arrange: pullFails('RegistryUnavailable: it sleeps'),
    reason: 'RegistryUnavailable',
    message: `image pull failed for ${image} because the registry is unavailable: it sleeps`,
    events: [pulling, failedPull('RegistryUnavailable: it sleeps'), failed('RegistryUnavailable')],
  },
  {
    row: 'pull error | SignatureValidationFailed',
    arrange: pullFails('SignatureValidationFailed: forged'),
    reason: 'SignatureValidationFailed',
    message: `image pull failed for ${image} because the signature validation failed: forged`,
    events: [pulling, failedPull('SignatureValidationFailed: forged'), failed('SignatureValidationFailed')],
  },
  {
    row: 'pulling, pulled | events Pulling, Pulled',
    arrange: ({ node }) => node.runtime.store.publish(image, { pullMs: 1_500 }),
    events: [
      pulling,
      `Normal Pulled: Successfully pulled image "${image}" in 1.5s (1.5s including waiting). Image size: 5000000 bytes.`,
    ],
  },
  {
    row: 'default tag: latest when neither tag nor digest is given; the name as written in the spec',
    own: { image: 'registry.test/main' },
    events: [
      'Normal Pulling: Pulling image "registry.test/main"',
      'Normal Pulled: Successfully pulled image "registry.test/main" in ',
    ],
  },
  {
    row: 'Always: asked each time, the status of the image is not looked at before',
    own: { imagePullPolicy: 'Always' },
    arrange: ({ node }) => node.runtime.store.load(image),
    events: [pulling, `Normal Pulled: Successfully pulled image "${image}" in `],
  },
];

describe('image pull', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ own = {}, arrange, reason, message = '', events }) => {
    scene = await PodScene.open();
    arrange?.(scene);
    scene.want({ containers: [container('main', own)] });
    await scene.node.until(() => (reason === undefined ? scene.node.isReady(scene.pod) : scene.waiting() === reason));
    expect(scene.containerStatus('main')?.state?.waiting?.message ?? '').toContain(message);
    const told = scene.node.events(scene.pod).map((event) => `${event.type} ${event.reason}: ${event.message}`);
    expect(told.slice(0, events.length)).toEqual(events.map((text) => expect.stringContaining(text) as unknown));
  });
});
