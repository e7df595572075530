import { BrokenPromise } from './broken-promise.js';
import { isReady, type Scene } from './promises.js';
import type { Story, StoryStep } from './story.js';

const harmless = new Set(['create', 'delete', 'write-manifest', 'remove-manifest', 'set-image', 'resize', 'exit']);

/** A pod does not wait for one whose calls hang, in stories in which nothing else goes wrong. */
export class HangPromise {
  /** Until when pods are to be ready that were not yet seen so, by name. */
  private readonly deadlines = new Map<string, number>();
  private readonly onlyHangs: boolean;

  constructor(
    story: Story,
    private readonly scene: Scene,
  ) {
    this.onlyHangs = story.steps.every(
      (step) =>
        harmless.has(step.act) ||
        (step.act === 'runtime-hangs' && step.pod !== undefined) ||
        ((step.act === 'csi' || step.act === 'devices') && step.become === 'hangs'),
    );
  }

  onStep(step: StoryStep): void {
    if (step.act !== 'create' || step.readyWithinMs === undefined || !this.onlyHangs) return;
    this.deadlines.set(step.pod.metadata.name ?? '', step.atMs + step.readyWithinMs);
  }

  check(): void {
    for (const [name, atMs] of this.deadlines) {
      const pod = this.scene.pods().find(({ metadata }) => metadata.name === name);
      if (pod === undefined) continue;
      if (isReady(pod) || pod.metadata.deletionTimestamp !== undefined) this.deadlines.delete(name);
      else if (atMs <= this.scene.nowMs()) {
        throw new BrokenPromise('a pod does not wait for one that hangs', `${name} is not ready in time`);
      }
    }
  }
}
