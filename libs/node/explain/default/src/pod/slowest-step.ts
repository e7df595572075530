import type { ExplainedStep, SlowestStep, StepName } from '@podwright/explain-interface';
import { isNewer, Story } from '../story.js';
import { repairedFailures } from './repaired-failures.js';

/** The longest part of the pod's first start; undefined before its last container ran, and when nothing was measured. */
export function slowestStep(steps: readonly ExplainedStep[], story: Story): SlowestStep | undefined {
  const begun = story.first('pod.received', ({ operation }) => operation === 'add');
  const starts = story.all('container.started', ({ restartCount }) => restartCount === 0);
  const last = starts.at(-1);
  if (begun === undefined || last === undefined || last.seq < begun.seq) return undefined;
  const ofMs = last.atMs - begun.atMs;
  const parts: { readonly step: StepName; readonly tookMs: number; readonly of?: string }[] = [];
  for (const { step, tookMs } of steps) {
    if (tookMs !== undefined && ['admission', 'queue', 'volumes'].includes(step)) parts.push({ step, tookMs });
  }
  const sandbox = story.first('sandbox.created');
  if (sandbox) parts.push({ step: 'sandbox', tookMs: sandbox.waitedMs + sandbox.durationMs });
  for (const { container, imageMs, durationMs, type, atMs } of starts) {
    parts.push({ step: 'image', tookMs: imageMs, of: container }, { step: 'start', tookMs: durationMs, of: container });
    const exit =
      type === 'init' ? story.first('container.exited', (entry) => entry.container === container) : undefined;
    if (exit)
      parts.push({ step: 'start', tookMs: (exit.finishedAtMs ?? exit.atMs) - atMs, of: `init container ${container}` });
  }
  // What was measured of a step that failed at first is mostly the wait for its repair.
  const repaired = repairedFailures(new Story(story.entries.filter((entry) => !isNewer(entry, last))));
  const measured = parts.filter(
    (part) => !repaired.some(({ step, tookMs }) => step === part.step && tookMs * 2 >= part.tookMs),
  );
  const longest = [...measured, ...repaired].reduce<Omit<SlowestStep, 'ofMs'> | undefined>(
    (most, part) => (most === undefined || part.tookMs > most.tookMs ? part : most),
    undefined,
  );
  return longest && { ...longest, ofMs };
}
