import { BrokenPromise } from './broken-promise.js';
import { isReady, type Scene } from './promises.js';
import type { Story, StoryStep } from './story.js';

const harmless = new Set(['create', 'delete', 'write-manifest', 'remove-manifest', 'set-image', 'resize', 'exit']);

/** A pod does not wait for one whose calls hang, in stories in which nothing else goes wrong. */
export class HangPromise {
  private readonly deadlines: { readonly atMs: number; readonly pod: string }[] = [];
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
    this.deadlines.push({ atMs: step.atMs + step.readyWithinMs, pod: step.pod.metadata.name ?? '' });
  }

  check(): void {
    while (this.deadlines[0] !== undefined && this.deadlines[0].atMs <= this.scene.nowMs()) {
      const { pod: name } = this.deadlines.shift()!;
      const pod = this.scene.pods().find(({ metadata }) => metadata.name === name);
      if (pod && !isReady(pod)) {
        throw new BrokenPromise('a pod does not wait for one that hangs', `${name} is not ready in time`);
      }
    }
  }
}
