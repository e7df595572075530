import type { ExplainedContainer, SlowestStep } from '@podwright/explain-interface';
import { span } from '../print/span.js';
import { exitText, isOutOfMemory } from './container-findings.js';
import { evictionNotes } from './eviction-notes.js';
import type { Finding } from './finding.js';
import { isNewer, type Story } from '../story.js';
import type { PodQuestion } from './pod-question.js';
import { removalOf } from './removed-image.js';
import { fillIn } from '../fill-in.js';
import { situationTexts } from './situation-texts.js';

/** A start that took less is not worth a sentence. */
const slowMs = 10_000;
/** A step with a smaller part of it is not why. */
const slowShare = 1 / 4;

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
  if (slowest !== undefined && slowest.ofMs >= slowMs && slowest.tookMs >= slowest.ofMs * slowShare) {
    const { step, tookMs, ofMs, of } = slowest;
    const what = `${span(tookMs)} of it for ${step}${of === undefined ? '' : ` (${of})`}`;
    notes.push(`The start took ${span(ofMs)}, ${what}: ${slowBecause(slowest, story)}.`);
  }
  for (const { name, restarts, exits, state: now } of containers) {
    const [exit] = exits;
    const isSaid = [main, ...others].some(
      ({ situation, about }) => situation.startsWith('restarted') && about?.['container'] === name,
    );
    if (restarts === 0 || exit === undefined || now !== 'running' || isSaid) continue;
    notes.push(`Container ${name} was restarted ${times(restarts)}; its last end: ${exitText(exit)}.`);
  }
  notes.push(...othersThatWait(main, containers));
  notes.push(...killedFromOutside(main, containers, story, node), ...evictionNotes(story, state.pod, main));
  if (main.situation !== 'image-removed' && main.situation.startsWith('image-')) {
    const removed = removalOf(String(main.about?.['image']), node);
    if (removed !== undefined) notes.push(`${removed[0]?.toUpperCase()}${removed.slice(1)}.`);
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

/** Waiting for nothing but their turn. */
const ordinary: readonly (string | undefined)[] = [undefined, 'ContainerCreating', 'PodInitializing'];

/** Containers with a trouble of their own, beside the one that the headline is about. */
function othersThatWait({ about }: Finding, containers: readonly ExplainedContainer[]): readonly string[] {
  if (about?.['container'] === undefined) return [];
  return containers
    .filter(
      ({ name, state, reason }) => name !== about['container'] && state === 'waiting' && !ordinary.includes(reason),
    )
    .map(({ name, reason, message }) => {
      const because = message === undefined || message === '' ? '' : `: ${message}`;
      return `Container ${name} does not run either, ${String(reason)}${because}.`;
    });
}

/**
 * A signal that neither the kubelet nor, as far as its messages tell, the kernel has sent. Only of a container whose
 * whole life the journal has: of an older one, a kill by the kubelet may be missing.
 */
function killedFromOutside(
  { situation, about }: Finding,
  containers: readonly ExplainedContainer[],
  story: Story,
  node: Story,
): readonly string[] {
  if (situation !== 'restarted' && situation !== 'crash-loop') return [];
  const [exit] = containers.find(({ name }) => name === about?.['container'])?.exits ?? [];
  if (exit?.signal === undefined || exit.killedFor !== undefined || isOutOfMemory(exit)) return [];
  const exited = story.last(
    'container.exited',
    ({ container, finishedAtMs }) => container === about?.['container'] && finishedAtMs === exit.finishedAtMs,
  );
  const started = exited && story.last('container.started', ({ containerId }) => containerId === exited.containerId);
  if (started === undefined || isNewer(node.last('journal.lost'), started)) return [];
  return [
    `${exit.signal} did not come from the kubelet, and the kernel reported no lack of memory: a process of the container ` +
      'or of the node has sent it, or the program ends with this code by itself.',
  ];
}

/** Why the slowest step took so long, and what makes it quicker. */
function slowBecause({ step, of, error }: SlowestStep, story: Story): string {
  if (error !== undefined)
    return `it failed until what it lacked was there, the last time with: ${error.trim().replace(/\.$/, '')}`;
  switch (step) {
    case 'image': {
      const waits = story.all('image.pull').map(({ durationMs = 0, pullMs = durationMs }) => durationMs - pullMs);
      const waitedMs = Math.max(0, ...waits);
      return waitedMs >= slowMs / 2
        ? `${span(waitedMs)} it waited for its turn to pull, see serializeImagePulls and maxParallelImagePulls`
        : 'a smaller image, a nearer registry or an image pulled beforehand makes it quicker';
    }
    case 'sandbox': {
      const waitedMs = story.first('sandbox.created')?.waitedMs ?? 0;
      return waitedMs >= slowMs / 2
        ? `${span(waitedMs)} it waited while other pods started`
        : 'the runtime and the network plugin took so long, see their logs';
    }
    case 'volumes':
      return 'a volume driver or a file system is slow, see its log';
    case 'start':
      return of?.startsWith('init') === true
        ? 'the other containers wait for it, see its log'
        : 'the runtime took so long, see its log and the load of the node';
    default:
      return 'the node was busy with other pods';
  }
}

// What goes on without anybody's help is no news beside a failure.
const isWorthSaying = (situation: Finding['situation']): boolean => situationTexts[situation][1] !== '';

export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
