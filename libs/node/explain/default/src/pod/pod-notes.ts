import type { ExplainedContainer, SlowestStep } from '@podwright/explain-interface';
import { span } from '../print/span.js';
import { exitText } from './container-findings.js';
import type { Finding } from './finding.js';
import type { PodQuestion } from './pod-question.js';
import { fillIn, situationTexts } from './situation-texts.js';

/** A start that took less is not worth a sentence. */
const slowMs = 10_000;

/** What else is worth to know: other findings, restarts, a slow start, kills and losses that explain gaps. */
export function podNotes(
  { story, node, state }: PodQuestion,
  main: Finding,
  others: readonly Finding[],
  containers: readonly ExplainedContainer[],
  slowest: SlowestStep | undefined,
): readonly string[] {
  const notes = others
    .filter(({ situation }) => situation !== main.situation && isWorthSaying(situation))
    .map(({ situation, about = {} }) => fillIn(situationTexts[situation][0], about));
  if (slowest !== undefined && slowest.ofMs >= slowMs) {
    const { step, tookMs, ofMs, of } = slowest;
    notes.push(`The start took ${span(ofMs)}, ${span(tookMs)} of it for ${step}${of === undefined ? '' : ` (${of})`}.`);
  }
  for (const { name, restarts, exits, state: now } of containers) {
    const [exit] = exits;
    const isSaid = [main, ...others].some(
      ({ situation, about }) => situation === 'restarted' && about?.['container'] === name,
    );
    if (restarts === 0 || exit === undefined || now !== 'running' || isSaid) continue;
    notes.push(`Container ${name} was restarted ${times(restarts)}; its last end: ${exitText(exit)}.`);
  }
  const replaced = story.all('sandbox.replaced').length;
  if (replaced > 0) notes.push(`The sandbox was replaced ${times(replaced)}, with all containers.`);
  const hook = story.last('hook.failed', ({ hook: of }) => of === 'preStop');
  if (hook) notes.push(`The preStop hook of container ${hook.container} failed after ${span(hook.durationMs)}.`);
  const gone = story.last('container.removed', ({ cause }) => cause === 'eviction');
  if (gone) notes.push('Dead containers of the pod were removed with their logs, because the node is short of disk.');
  if (state.runtimeErrors.length > 0 && main.situation !== 'runtime-down') {
    notes.push(`The container runtime does not work at the moment: ${state.runtimeErrors.join('; ')}.`);
  }
  if (node.last('journal.lost')) notes.push('The journal has lost entries, so parts of this may be missing.');
  return notes;
}

// What goes on without anybody's help is no news beside a failure.
const isWorthSaying = (situation: Finding['situation']): boolean => situationTexts[situation][1] !== '';

export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
