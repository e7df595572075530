import type { RpcName } from '@podwright/cri-client-interface';
import type { Pod } from '@podwright/kube-types';
import { claimNames } from './csi-objects.js';
import { deviceResources } from './device-objects.js';
import { drawFor, type Draw } from './draw.js';
import { imageOf, isLasting } from './programs.js';
import type { Story, StoryAct, StoryStep } from './story.js';
import { writeApiFault } from './write-api-fault.js';
import { writeCsiFaults, writeDeviceFaults, writeDraFaults } from './write-driver-faults.js';
import { askingForDevices, claimed, writePod, type Means } from './write-pod.js';

const changing: readonly RpcName[] = [
  ...(['runPodSandbox', 'stopPodSandbox', 'removePodSandbox'] as const),
  ...(['createContainer', 'startContainer', 'stopContainer', 'removeContainer'] as const),
  ...(['pullImage', 'updateContainerResources'] as const),
];
const looking: readonly RpcName[] = [
  ...(['listPodSandbox', 'listContainers', 'podSandboxStatus', 'containerStatus', 'imageStatus', 'status'] as const),
];

/** A story from a seed: a configuration, a workload, and what goes wrong meanwhile. */
export function writeStory(seed: number): Story {
  const shape = drawFor(seed, 'shape');
  const lastsMs = shape.between(20, 90) * 1_000;
  const drivers = drawFor(seed, 'drivers');
  const devices = drawFor(seed, 'devices');
  const means: Means = { csi: drivers.oneIn(4), dra: drivers.oneIn(6), devices: devices.oneIn(4) };
  const steps = [
    ...writeWorkload(drawFor(seed, 'workload'), lastsMs, means),
    ...writeFaults(seed, shape, lastsMs, means),
    ...(means.csi ? writeCsiFaults(drivers, lastsMs) : []),
    ...(means.dra ? writeDraFaults(drivers, lastsMs) : []),
    ...(means.devices ? writeDeviceFaults(devices, lastsMs) : []),
  ];
  return {
    seed,
    configuration: writeConfiguration(drawFor(seed, 'configuration')),
    latencyMs: shape.pick([0, 50, 400, 3_000]),
    readLatencyMs: shape.oneIn(6) ? 300 : 0,
    ...writeScheduling(drawFor(seed, 'scheduling')),
    steps: steps.sort((left, right) => left.atMs - right.atMs),
    ...(means.csi && { csi: true }),
    ...(means.dra && { dra: true }),
    ...(means.devices && { devices: true }),
    epilogue: shape.pick(['none', 'kill', 'stop', 'drain']),
  };
}

const writeScheduling = (draw: Draw): Pick<Story, 'apiLatencyMs' | 'diskLatencyMs' | 'shuffled'> => ({
  apiLatencyMs: draw.pick([0, 0, 5, 80, 700]),
  // Waits cost most of the time in which such a story is told.
  diskLatencyMs: draw.oneIn(6) ? draw.pick([2, 20]) : 0,
  shuffled: draw.oneIn(2),
});

function writeConfiguration(draw: Draw): Story['configuration'] {
  return {
    syncFrequency: draw.pick(['60s', '20s']),
    fileCheckFrequency: draw.pick(['1s', '5s']),
    maxParallelImagePulls: draw.pick([1, 4]),
    serializeImagePulls: draw.oneIn(2),
    crashLoopBackOff: { maxContainerRestartPeriod: draw.pick(['5s', '30s']) },
    featureGates: { KubeletCrashLoopBackOffMax: true, EventedPLEG: !draw.oneIn(3) },
    // Of JSON and protobuf, the client reads JSON in half of the time.
    contentType: draw.oneIn(3) ? 'application/vnd.kubernetes.protobuf' : 'application/json',
  };
}

interface Written {
  readonly pod: Pod;
  readonly kind: 'api' | 'static';
  readonly atMs: number;
}

function writeWorkload(draw: Draw, lastsMs: number, means: Means): StoryStep[] {
  const count = draw.between(1, 5);
  return Array.from({ length: count }, (_, index): Written => {
    const kind = draw.oneIn(4) ? 'static' : 'api';
    return { kind, atMs: draw.between(0, lastsMs / 2), pod: writePod(`p${index}`, draw, kind, means) };
  }).flatMap((written) => [
    created(written),
    ...Array.from({ length: draw.between(0, 3) }, () => change(written, draw, lastsMs)).flat(),
  ]);
}

const created = ({ kind, atMs, pod }: Written): StoryStep =>
  kind === 'api' ? { atMs, act: 'create', pod } : { atMs, act: 'write-manifest', pod };

/** One thing that happens to the pod later. */
function change({ kind, atMs: from, pod }: Written, draw: Draw, lastsMs: number): StoryStep[] {
  const atMs = draw.between(from, lastsMs);
  const name = pod.metadata.name ?? '';
  const target = { pod: kind === 'api' ? name : `${name}-node`, container: draw.pick(pod.spec.containers).name };
  const what = draw.between(0, 9);
  if (what < 4) {
    if (kind === 'static') {
      const again = { atMs: draw.between(atMs, lastsMs), act: 'write-manifest', pod } as const;
      return [{ atMs, act: 'remove-manifest', pod: name }, ...(draw.oneIn(2) ? [again] : [])];
    }
    const gracePeriodSeconds = draw.pick([undefined, undefined, 0, 1, 20]);
    const gone: StoryStep = {
      atMs,
      act: 'delete',
      pod: name,
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    };
    // A pod of the same name follows, as a stateful set makes it, or somebody loses patience.
    if (draw.oneIn(4)) return [gone, { atMs: draw.between(atMs, lastsMs), act: 'create', pod }];
    if (draw.oneIn(4)) return [gone, { atMs: atMs + 2_000, act: 'delete', pod: name, gracePeriodSeconds: 1 }];
    return [gone];
  }
  if (what < 6) return [{ atMs, act: 'exit', ...target, exitCode: draw.pick([0, 1, 137]) }];
  if (what === 6) return [{ atMs, act: 'kill-sandbox', pod: target.pod }];
  const image = imageOf(draw.pick(['steady', 'slow-3000']), 2);
  if (kind === 'static') {
    const containers = pod.spec.containers.map((each) => (each.name === target.container ? { ...each, image } : each));
    return [{ atMs, act: 'write-manifest', pod: { ...pod, spec: { ...pod.spec, containers } } }];
  }
  if (what < 8) return [{ atMs, act: 'set-image', ...target, image }];
  if (what === 8) return [{ atMs, act: 'debug', ...target, image: imageOf(draw.pick(['steady', 'ends-0-5000'])) }];
  return [{ atMs, act: 'resize', ...target, cpu: `${draw.between(11, 30)}0m` }];
}

function writeFaults(seed: number, shape: Draw, lastsMs: number, means: Means): StoryStep[] {
  // Few faults show most: many hide each other. Swarms of one kind find what a mixture does not.
  const kinds = ['runtime', 'api', 'disk', 'kubelet', 'machine', 'hang'] as const;
  const chosen = kinds.filter(() => shape.oneIn(3));
  return chosen.flatMap((kind) => {
    const draw = drawFor(seed, kind);
    return Array.from({ length: draw.between(1, 4) }, () => {
      const atMs = draw.between(0, lastsMs);
      return kind === 'hang' ? writeHang(draw, atMs, means) : [{ atMs, ...writeFault(kind, draw) }];
    }).flat();
  });
}

function writeFault(kind: 'runtime' | 'api' | 'disk' | 'kubelet' | 'machine', draw: Draw): StoryAct {
  const forMs = draw.pick([500, 3_000, 15_000, 60_000]);
  const times = draw.pick([1, 1, 3, 10]);
  switch (kind) {
    case 'runtime': {
      const rpc = draw.pick(draw.oneIn(3) ? looking : changing);
      const hurt = draw.between(0, 7);
      if (hurt === 0) return { act: 'runtime-away', forMs };
      if (hurt === 1) return { act: 'runtime-hangs', rpc, forMs };
      if (hurt === 2) return { act: 'events', become: draw.pick(['lost', 'doubled', 'late'] as const), forMs };
      if (hurt === 3) return { act: 'event-streams-end' };
      return { act: 'runtime-fails', rpc, times, done: draw.oneIn(2) };
    }
    case 'api':
      return writeApiFault(draw, forMs, times);
    case 'disk':
      return {
        act: 'disk-fails',
        code: draw.pick(['EIO', 'ENOSPC'] as const),
        torn: draw.oneIn(2),
        operations: draw.pick([1, 1, 5, 30]),
      };
    case 'kubelet': {
      const downMs = draw.pick([500, 2_000, 10_000, 45_000]);
      const after = draw.pick([undefined, 'file-operations', 'runtime-calls'] as const);
      if (draw.oneIn(4)) return { act: 'stop', downMs };
      return { act: 'kill', count: after ? draw.between(1, 40) : 0, downMs, ...(after && { after }) };
    }
    case 'machine':
      if (draw.oneIn(3)) return { act: 'reboot', downMs: draw.pick([1_000, 10_000, 45_000]) };
      return { act: 'clock-jumps', byMs: draw.pick([-3_600_000, -5_000, 5_000, 86_400_000]) };
  }
}

/** Calls for one pod hang, to the runtime, a driver or a device plugin, and a pod that is made meanwhile must not wait for them. */
function writeHang(draw: Draw, atMs: number, { csi, devices }: Means): StoryStep[] {
  const name = `hung-${atMs}`;
  const hung = writePod(name, draw, 'api');
  const other = writePod(`beside-${atMs}`, draw, 'api');
  const containers = other.spec.containers.slice(0, 1).map((each) => ({ ...each, image: imageOf('steady') }));
  const { initContainers: _none, ...rest } = other.spec;
  const simple: Pod = { ...other, spec: { ...rest, containers } };
  const besides = { atMs: atMs + draw.between(0, 20_000), act: 'create', pod: simple, readyWithinMs: 60_000 } as const;
  if (csi && draw.oneIn(2)) {
    const spec = { ...hung.spec, volumes: [claimed(draw.pick(claimNames))] };
    const containers = spec.containers.map(({ volumeMounts: _mounts, ...each }) => each);
    const call = draw.pick(['nodeStageVolume', 'nodePublishVolume'] as const);
    return [
      { atMs, act: 'csi', call, become: 'hangs', times: 3, forMs: 90_000 },
      { atMs, act: 'create', pod: { ...hung, spec: { ...spec, containers } } },
      besides,
    ];
  }
  if (devices && draw.oneIn(2)) {
    const resource = draw.pick(deviceResources);
    return [
      { atMs, act: 'devices', resource, call: 'allocate', become: 'hangs', times: 3, forMs: 90_000 },
      { atMs, act: 'create', pod: askingForDevices(hung, draw, resource) },
      besides,
    ];
  }
  const rpc = draw.pick(['runPodSandbox', 'createContainer', 'startContainer', 'stopContainer'] as const);
  return [
    { atMs, act: 'create', pod: hung },
    { atMs, act: 'runtime-hangs', rpc, pod: name, forMs: 90_000 },
    ...(rpc === 'stopContainer' ? [{ atMs: atMs + 8_000, act: 'delete', pod: name } as const] : []),
    besides,
  ];
}

/** Whether all of the pod's containers run until somebody stops them. */
export const allLast = (pod: Pod): boolean => pod.spec.containers.every(({ image = '' }) => isLasting(image));
