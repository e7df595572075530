import { describe, expect, it } from '@podwright/contract';
import type { Pod, ResourceRequirements } from '@podwright/kube-types';
import type { PodResize, PodResizer } from '../resources/pod-resizer.js';

export interface PodResizerHarness {
  readonly resizer: PodResizer;
  /** Sets what the runtime accepted last for the container `app` of the pod with UID `uid-1`. */
  setAccepted(resources: ResourceRequirements): void;
  /** What the runtime accepted last for that container. */
  accepted(): ResourceRequirements | undefined;
  /** The IDs of the containers whose resources the runtime was asked to change, in order. */
  readonly updates: readonly string[];
  /** Makes the runtime refuse each change from now on. */
  refuse(message: string): void;
}

const limits = (cpu: string): ResourceRequirements => ({ limits: { cpu } });
const podWith = (cpu: string, more: object = {}, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: 'uid-1', ...metadata },
  spec: { containers: [{ name: 'app', resources: limits(cpu), ...more }] },
});
const onRestart = { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] };
const staticPod = { annotations: { 'kubernetes.io/config.source': 'file' } };

/** Every {@link PodResizer} passes this suite. */
export function describePodResizerContract(title: string, create: () => PodResizerHarness): void {
  /** A pod whose container has one CPU. */
  function planOf(pod: Pod) {
    const harness = create();
    harness.setAccepted(limits('1'));
    const plan = harness.resizer.plan(pod);
    const keeps = pod.spec.containers.every((container) => plan.keeps(container, 'id'));
    plan.comparePodLevel();
    return { ...harness, keeps, resize: plan.result() };
  }
  const planned = (resize: PodResize | undefined): readonly string[] | undefined =>
    resize?.cpu.map(({ containerId }) => containerId);

  describe(`${title} as a PodResizer`, () => {
    it('plans nothing for a pod that has what it was granted', () => {
      const { keeps, resize } = planOf(podWith('1'));
      expect({ keeps, resize }).toEqual({ keeps: true, resize: undefined });
    });

    it('updates a running container that was granted something else', () => {
      const { keeps, resize } = planOf(podWith('2'));
      expect(keeps).toBe(true);
      expect(planned(resize)).toEqual(['id']);
    });

    it('restarts a container whose policy says so, and updates its pod only', () => {
      const { keeps, resize } = planOf(podWith('2', onRestart));
      expect(keeps).toBe(false);
      expect(planned(resize)).toEqual([]);
      expect(resize?.updatePod).toBe(true);
    });

    it('does not resize static pods', () => {
      const { keeps, resize } = planOf(podWith('2', {}, staticPod));
      expect({ keeps, resize }).toEqual({ keeps: true, resize: undefined });
    });

    it('asks the runtime, and records what it has accepted', async () => {
      const { resizer, resize, updates, accepted } = planOf(podWith('2'));
      const result = await resizer.resize(podWith('2'), 'sandbox', resize ?? nothing);
      expect(result).toEqual({ action: 'ResizePodInPlace', target: 'web_default(uid-1)' });
      expect(updates).toEqual(['id']);
      expect(accepted()?.limits?.['cpu']).toBe('2');
    });

    it('reports a refusal, and keeps the record', async () => {
      const { resizer, resize, accepted, refuse } = planOf(podWith('2'));
      refuse('no room');
      const { error } = await resizer.resize(podWith('2'), 'sandbox', resize ?? nothing);
      expect(error?.reason).toBe('ResizePodInPlaceError');
      expect(error?.message).toContain('no room');
      expect(accepted()?.limits?.['cpu']).toBe('1');
    });
  });
}

const nothing: PodResize = { memory: [], cpu: [], updatePod: false, updatePodLevel: false };
