import type { Pod } from '@podwright/kube-types';
import { asksForDevices } from './device-objects.js';
import { resourceClaimsOf } from './dra-objects.js';
import type { Story, StoryStep } from './story.js';

/** Tells whether a story still breaks the same promise. */
export type StillFails = (story: Story) => Promise<boolean>;

/**
 * Leaves out of a failing story what it fails without: steps, parts of pods, latencies, configuration. Tries at most
 * `tries` smaller ones, so the result is small but perhaps not the smallest.
 */
export async function shrinkStory(story: Story, stillFails: StillFails, tries: number): Promise<Story> {
  let left = tries;
  let best = story;
  const attempt = async (smaller: Story): Promise<boolean> => {
    if (left <= 0) return false;
    left--;
    const fails = await stillFails(smaller);
    if (fails) best = smaller;
    return fails;
  };
  for (let before: Story | undefined; before !== best && left > 0;) {
    before = best;
    for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < best.steps.length;) {
        const kept = best.steps.filter((_, index) => index < from || index >= from + size);
        if (!(await attempt({ ...best, steps: kept }))) from += size;
      }
    }
    await attempt({ ...best, latencyMs: 0, readLatencyMs: 0 });
    await attempt({ ...best, apiLatencyMs: 0 });
    await attempt({ ...best, diskLatencyMs: 0 });
    await attempt({ ...best, shuffled: false });
    // Without the driver that it uses a pod fails for another reason.
    if (best.csi === true && !hasPod(best, claimsVolumes)) await attempt({ ...best, csi: false });
    if (best.dra === true && !hasPod(best, claimsResources)) await attempt({ ...best, dra: false });
    if (best.devices === true && !hasPod(best, asksForDevices)) await attempt({ ...best, devices: false });
    await attempt({ ...best, epilogue: 'none' });
    for (const field of Object.keys(best.configuration)) {
      const { [field as keyof Story['configuration']]: _left, ...configuration } = best.configuration;
      await attempt({ ...best, configuration });
    }
    for (let index = 0; index < best.steps.length; index++) {
      for (const simpler of simplerPods) {
        const pod = podOf(best.steps[index]!);
        const smaller = pod && simpler(pod);
        if (pod === undefined || smaller === undefined) continue;
        const steps = best.steps.map((each) => withPod(each, pod, smaller));
        await attempt({ ...best, steps });
      }
    }
  }
  return best;
}

const podOf = (step: StoryStep): Pod | undefined =>
  'pod' in step && typeof step.pod === 'object' ? step.pod : undefined;
const hasPod = ({ steps }: Story, uses: (pod: Pod) => boolean): boolean =>
  steps.flatMap((step) => podOf(step) ?? []).some(uses);
const claimsVolumes = ({ spec }: Pod): boolean =>
  spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim !== undefined) ?? false;
const claimsResources = (pod: Pod): boolean => resourceClaimsOf(pod).length > 0;

// A static pod, and one that is created again, have the same pod in several steps.
function withPod(each: StoryStep, pod: Pod, smaller: Pod): StoryStep {
  const same = JSON.stringify(podOf(each)) === JSON.stringify(pod);
  return same ? ({ ...each, pod: smaller } as StoryStep) : each;
}

/** Each returns the pod without one part; undefined when it has none. */
const simplerPods: readonly ((pod: Pod) => Pod | undefined)[] = [
  ({ spec: { initContainers, ...spec }, ...pod }) => initContainers && { ...pod, spec },
  ({ spec: { hostNetwork, ...spec }, ...pod }) => (hostNetwork === undefined ? undefined : { ...pod, spec }),
  ({ spec, ...pod }) =>
    spec.containers.length < 2 ? undefined : { ...pod, spec: { ...spec, containers: spec.containers.slice(0, 1) } },
  ({ spec: { volumes, ...spec }, ...pod }) =>
    volumes && {
      ...pod,
      spec: { ...spec, containers: spec.containers.map(({ volumeMounts: _mounts, ...container }) => container) },
    },
  ({ spec: { resourceClaims, ...spec }, ...pod }) => resourceClaims && { ...pod, spec },
  ...(['resources', 'lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const).map(
    (part) =>
      ({ spec, ...pod }: Pod): Pod | undefined => {
        if (!spec.containers.some((container) => container[part] !== undefined)) return undefined;
        const containers = spec.containers.map(
          ({ [part]: _part, ...container }) => container as (typeof spec.containers)[number],
        );
        return { ...pod, spec: { ...spec, containers } };
      },
  ),
];
