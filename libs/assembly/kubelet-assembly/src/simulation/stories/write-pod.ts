import type { Container, Pod, PodSpec, Probe, Volume } from '@podwright/kube-types';
import { claimNames } from './csi-objects.js';
import { resourceClaimNames } from './dra-objects.js';
import { deviceResources, devicesOf, withDevices } from './device-objects.js';
import type { Draw } from './draw.js';
import { imageOf } from './programs.js';

/** The objects that volumes of pods refer to. */
export const configMapName = 'settings';
export const secretName = 'password';

const exec = (...command: string[]) => ({ exec: { command } });
const lasting = ['steady', 'steady', 'steady', 'slow-3000', 'slow-12000', 'stubborn'];
const ending = ['ends-0-5000', 'ends-1-4000', 'ends-0-20000'];

/** What pods of a story may use. */
export interface Means {
  /** Volumes of a CSI driver. */
  readonly csi: boolean;
  /** Resource claims of a DRA driver. */
  readonly dra: boolean;
  /** Devices of plugins. */
  readonly devices: boolean;
}

/** A pod of one of the kinds that a node meets. `kind`: static pods refer to no objects and are never done. */
export function writePod(
  name: string,
  draw: Draw,
  kind: 'api' | 'static',
  means: Means = { csi: false, dra: false, devices: false },
): Pod {
  const volumes = writeVolumes(draw, kind, means);
  const restartPolicy = kind === 'static' ? 'Always' : draw.pick(['Always', 'Always', 'Always', 'OnFailure', 'Never']);
  const mounts = { volumeMounts: volumes.map((volume) => ({ name: volume.name, mountPath: `/v/${volume.name}` })) };
  const containers = Array.from({ length: draw.oneIn(3) ? 2 : 1 }, (_, index) => ({
    ...writeContainer(index === 0 ? 'main' : 'second', draw),
    ...(volumes.length > 0 && mounts),
  }));
  const claim = kind === 'api' && means.dra && draw.oneIn(2) ? draw.pick(resourceClaimNames) : undefined;
  const initContainers = [
    ...(draw.oneIn(4) ? [plain('init', draw.pick(['ends-0-700', 'ends-0-3000', 'flaky-900']))] : []),
    ...(draw.oneIn(5) ? [{ ...plain('sidecar', draw.pick(lasting)), restartPolicy: 'Always' }] : []),
    ...(draw.oneIn(8) ? [plain('late-init', 'ends-0-500')] : []),
  ];
  const spec: PodSpec = {
    restartPolicy,
    terminationGracePeriodSeconds: draw.pick([1, 5, 10, 30]),
    automountServiceAccountToken: false,
    ...withClaim(containers, claim),
    ...(initContainers.length > 0 && { initContainers }),
    ...(volumes.length > 0 && { volumes }),
    ...(draw.oneIn(8) && { hostNetwork: true }),
  };
  const pod = podOf(name, spec);
  return means.devices && kind === 'api' && !draw.oneIn(4) ? askingForDevices(pod, draw) : pod;
}

const podOf = (name: string, spec: PodSpec): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec,
});

/** Its first container asks, perhaps for two kinds, and perhaps its first init container, too. */
export function askingForDevices({ spec, ...pod }: Pod, draw: Draw, resource = draw.pick(deviceResources)): Pod {
  const [other] = deviceResources.filter((each) => each !== resource);
  const count = draw.between(1, devicesOf(resource).length - 1);
  const [first, ...others] = spec.containers as [Container, ...Container[]];
  const asking = withDevices(first, resource, count);
  const containers = [other !== undefined && draw.oneIn(4) ? withDevices(asking, other, 1) : asking, ...others];
  const [init, ...inits] = spec.initContainers ?? [];
  const initContainers = init && draw.oneIn(2) ? [withDevices(init, resource, count), ...inits] : undefined;
  return { ...pod, spec: { ...spec, containers, ...(initContainers && { initContainers }) } };
}

/** The first container uses it. */
function withClaim(
  containers: readonly Container[],
  claim: string | undefined,
): Pick<PodSpec, 'containers' | 'resourceClaims'> {
  if (claim === undefined) return { containers: [...containers] };
  const claims = [{ name: 'gpu' }];
  const [first, ...others] = containers as [Container, ...Container[]];
  return {
    containers: [{ ...first, resources: { ...first.resources, claims } }, ...others],
    resourceClaims: [{ name: 'gpu', resourceClaimName: claim }],
  };
}

const plain = (name: string, behaviour: string): Container => ({
  name,
  image: imageOf(behaviour),
  imagePullPolicy: 'IfNotPresent',
});

function writeContainer(name: string, draw: Draw): Container {
  const behaviour = draw.pick(draw.oneIn(4) ? ending : lasting);
  const requests = { cpu: `${draw.between(1, 10)}0m`, memory: '16Mi' };
  const lifecycle = {
    ...(draw.oneIn(8) && { postStart: exec('takes', '500') }),
    ...(draw.oneIn(6) && { preStop: exec('takes', draw.pick(['500', '4000', '60000'])) }),
  };
  return {
    ...plain(name, behaviour),
    resources: draw.oneIn(2) ? { requests, limits: requests } : { requests },
    ...(Object.keys(lifecycle).length > 0 && { lifecycle }),
    ...(draw.oneIn(5) && { livenessProbe: writeProbe(draw, ['ok']) }),
    ...(draw.oneIn(4) && { readinessProbe: writeProbe(draw, draw.pick([['ok'], ['ok'], ['after', '6000']])) }),
    ...(draw.oneIn(6) && { startupProbe: { ...writeProbe(draw, ['after', '2500']), failureThreshold: 10 } }),
  };
}

const writeProbe = (draw: Draw, command: string[]): Probe => ({
  ...exec(...command),
  periodSeconds: draw.pick([1, 5, 10]),
});

function writeVolumes(draw: Draw, kind: 'api' | 'static', { csi }: Means): Volume[] {
  const downward = { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] };
  return [
    ...(draw.oneIn(3) ? [{ name: 'scratch', emptyDir: {} }] : []),
    ...(draw.oneIn(6) ? [{ name: 'facts', downwardAPI: downward }] : []),
    ...(kind === 'api' && draw.oneIn(4) ? [{ name: 'settings', configMap: { name: configMapName } }] : []),
    ...(kind === 'api' && draw.oneIn(5) ? [{ name: 'password', secret: { secretName } }] : []),
    ...(kind === 'api' && csi && draw.oneIn(2) ? [claimed(draw.pick(claimNames))] : []),
  ];
}

/** A volume of the CSI driver. */
export const claimed = (claimName: string): Volume => ({ name: 'data', persistentVolumeClaim: { claimName } });

/** One container with every device that the node has. */
export function podWithAllDevices(name: string): Pod {
  const container = deviceResources.reduce(
    (asking, resource) => withDevices(asking, resource, devicesOf(resource).length),
    plain('main', 'steady'),
  );
  return podOf(name, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    containers: [container],
  });
}
