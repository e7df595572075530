import path from 'node:path';
import { milliCpuToShares, sharesToWeight } from '@podwright/cgroup-files';
import { podQosClass, podRequests, quantityToMilli, type Pod } from '@podwright/kube-types';
import type { SimulatedContainer } from '@podwright/simulated-runtime';
import { isEnded, runtimeUid, type Scene } from './promises.js';
import type { MachineCgroups } from './machine-cgroups.js';

const tierOf = { Guaranteed: 'kubepods', Burstable: 'kubepods/burstable', BestEffort: 'kubepods/besteffort' } as const;

/** What is not as it must be of the cgroups of a node that rests: each pod has its own, with its CPU, and nobody else. */
export function complaintsOfCgroups(
  scene: Pick<Scene, 'pods' | 'runtime'>,
  cgroups: MachineCgroups,
): readonly string[] {
  const living = scene.pods().filter((pod) => !isEnded(pod));
  const known = new Set(living.map(runtimeUid));
  const found = cgroups.pods;
  const strangers = [...found].filter(([uid]) => !known.has(uid)).map(([, cgroup]) => `${cgroup} is left`);
  return [...strangers, ...living.flatMap((pod) => complaintOf(pod, found.get(runtimeUid(pod)), scene, cgroups) ?? [])];
}

function complaintOf(
  pod: Pod,
  cgroup: string | undefined,
  { runtime }: Pick<Scene, 'runtime'>,
  cgroups: MachineCgroups,
): string | undefined {
  const expected = path.join(tierOf[podQosClass(pod)], `pod${runtimeUid(pod)}`);
  if (cgroup !== expected) return `the cgroup of ${pod.metadata.name} is ${cgroup}, not ${expected}`;
  if (mayHaveOldCgroup(pod, runtime.control.containers(runtimeUid(pod)))) return undefined;
  const weight = cgroups.value(cgroup, 'cpu.weight');
  const requested = `${sharesToWeight(milliCpuToShares(quantityToMilli(podRequests(pod)['cpu'])))}`;
  return weight === requested ? undefined : `the cgroup of ${pod.metadata.name} has weight ${weight}, not ${requested}`;
}

/**
 * Whether a resize met a container that did not run: as upstream, the pod's cgroup then stays as it was. It met none when
 * all containers run and have not restarted, and one has other CPU than it was created with.
 */
function mayHaveOldCgroup({ metadata, spec, status }: Pod, containers: readonly SimulatedContainer[]): boolean {
  if ((metadata.generation ?? 1) === 1) return false;
  const steady = status?.containerStatuses?.filter(({ state, restartCount }) => state?.running && restartCount === 0);
  const resized = containers.some(
    ({ running, config, resources }) => running && resources.cpuShares !== config.linux?.resources?.cpuShares,
  );
  return steady?.length !== spec.containers.length || !resized;
}
