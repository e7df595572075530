import {
  stepNames,
  type ExplainedContainer,
  type ExplainedStep,
  type PodExplanation,
} from '@podwright/explain-interface';
import { podUidsOf, type JournalEntry, type JournalPod } from '@podwright/journal-interface';
import { podSource } from '@podwright/kube-types';
import { presentLife, Story } from '../story.js';
import { exitText, isOutOfMemory } from './container-findings.js';
import { endedFinding } from './ended-finding.js';
import { explainContainers } from './explain-containers.js';
import type { Finding, StepResult } from './finding.js';
import { ofFullDisk } from './full-disk.js';
import { isEnding, type PodQuestion } from './pod-question.js';
import { podNotes, times } from './pod-notes.js';
import { isConditionTrue, type PodState } from './pod-state.js';
import { adviceWords, podTool, refusalWords } from './advice-words.js';
import { fillIn } from '../fill-in.js';
import { situationTexts } from './situation-texts.js';
import { slowestStep } from './slowest-step.js';
import { admissionStep, queueStep, sourceStep } from './steps/arrival-steps.js';
import { endingStep } from './steps/ending-step.js';
import { imageStep } from './steps/image-step.js';
import { probesStep } from './steps/probes-step.js';
import { sandboxSteps } from './steps/sandbox-steps.js';
import { startStep } from './steps/start-step.js';
import { statusStep } from './steps/status-step.js';
import { volumesStep } from './steps/volumes-step.js';

/**
 * Explains one pod. `entries` are those of the pod and those about the node, in the order of their numbers; of a pod
 * that is gone, `state` knows nothing.
 */
export function explainPod(
  pod: JournalPod,
  entries: readonly JournalEntry[],
  state: PodState,
  nowMs: number,
): PodExplanation {
  const own = entries.filter((entry) => podUidsOf(entry).includes(pod.uid));
  const story = new Story(presentLife(own));
  const node = new Story(entries.filter((entry) => podUidsOf(entry).length === 0));
  const question: PodQuestion = { story, node, state, nowMs };
  const containers = explainContainers(question);
  const results = stepResults(question, containers);
  const findings = findingsOf(question, results, containers).map(ofFullDisk);
  const ready = isConditionTrue(state.status, 'Ready');
  const phase = state.status?.phase ?? story.last('status.changed')?.phase;
  const main: Finding = findings[0] ?? quiet(question, ready);
  const words = adviceWords(podTool(state), pod, main.about?.['container']);
  const source = story.last('pod.received')?.source ?? (state.pod && podSource(state.pod));
  const about = { namespace: pod.namespace, pod: pod.name, ...words, ...refusalWords(source), ...main.about };
  const [headline, advice] = situationTexts[main.situation];
  const steps = results.map(({ step }) => step);
  const slowest = slowestStep(steps, story);
  const { waitsFor, lastFailure, retryAtMs } = main;
  return {
    ...{ apiVersion: 'explain.podwright.dev/v1alpha1', kind: 'PodExplanation', atMs: nowMs },
    pod: { namespace: pod.namespace, name: pod.name, uid: pod.uid },
    known: state.pod !== undefined || state.work !== 'none' ? 'here' : 'gone',
    ...(source !== undefined && { source }),
    ...(phase !== undefined && { phase }),
    ...{ ready, situation: main.situation, headline: fillIn(headline, about), advice: fillIn(advice, about) },
    ...(waitsFor && { waitsFor }),
    ...(lastFailure && { lastFailure }),
    ...(retryAtMs !== undefined && { retryAtMs }),
    ...(slowest && { slowest }),
    steps: stepNames.map((name) => steps.find(({ step }) => step === name) as ExplainedStep),
    containers,
    notes: podNotes(question, main, findings.slice(1), containers, slowest),
  };
}

function stepResults(question: PodQuestion, containers: readonly ExplainedContainer[]): readonly StepResult[] {
  const before = [sourceStep(question), admissionStep(question)];
  const refused = before.some(({ step }) => step.state === 'failed');
  const volumes = volumesStep(question);
  const image = imageStep(question);
  const rest = [
    ...[queueStep(question), volumes, ...sandboxSteps(question, volumes), image],
    ...[startStep(question, containers, image), probesStep(question, containers)],
  ].map((result) => (refused ? skipped(result) : result));
  return [...before, ...rest, statusStep(question), endingStep(question)];
}

const skipped = ({ step: { step } }: StepResult): StepResult => ({ step: { step, state: 'skipped', facts: {} } });

/** The most important one first. */
function findingsOf(
  question: PodQuestion,
  results: readonly StepResult[],
  containers: readonly ExplainedContainer[],
): readonly Finding[] {
  const of = (...names: readonly ExplainedStep['step'][]): readonly Finding[] =>
    results.flatMap(({ step, finding }) => (finding && names.includes(step.step) ? [finding] : []));
  const arrival = of('source', 'admission').filter(({ situation }) => situation !== 'received');
  if (arrival.length > 0) return [...arrival, ...of('status')];
  const ended = endedFinding(question, containers);
  const ending = of('ending');
  if (isEnding(question) || ended !== undefined) {
    // A clean-up that goes well is no news about a pod that has failed.
    const stuck = ending.filter(
      ({ lastFailure, situation }) => lastFailure !== undefined || situation !== 'ending-cleanup',
    );
    const comesBack = of('queue').filter(({ situation }) => situation === 'waits-for-restart');
    if (ended === undefined || ended.situation === 'removed') {
      return [...comesBack, ...ending, ...(ended ? [ended] : []), ...of('status')];
    }
    return [ended, ...stuck, ...of('status')];
  }
  const way = of('source', 'admission', 'queue', 'volumes', 'network', 'sandbox', 'image', 'start', 'probes');
  return [...way, ...of('status'), ...resizeFinding(question), ...restartFinding(question, containers)];
}

function resizeFinding({ story, state }: PodQuestion): readonly Finding[] {
  const pending = state.status?.conditions?.find(
    ({ type, status }) => type === 'PodResizePending' && status === 'True',
  );
  if (pending === undefined) return [];
  const refused = story.last('pod.refused', ({ operation }) => operation === 'resize');
  const error = pending.message ?? refused?.message ?? '';
  const atMs = refused?.atMs ?? Date.parse(String(pending.lastTransitionTime));
  const situation = pending.reason === 'Infeasible' ? 'resize-infeasible' : 'resize-deferred';
  return [
    { situation, ...(error !== '' && !Number.isNaN(atMs) && { lastFailure: { step: 'admission', atMs, error } }) },
  ];
}

function restartFinding({ state }: PodQuestion, containers: readonly ExplainedContainer[]): readonly Finding[] {
  if (!isConditionTrue(state.status, 'Ready')) return [];
  const restarted = containers.find(({ restarts, exits }) => restarts > 0 && exits.length > 0);
  const exit = restarted?.exits[0];
  if (restarted === undefined || exit === undefined) return [];
  const cause = isOutOfMemory(exit)
    ? 'lack of memory'
    : exit.killedFor === undefined
      ? `exit code ${exit.exitCode}`
      : probeOf(exit.killedFor);
  const about = { container: restarted.name, restarts: times(restarted.restarts), cause };
  const atMs = exit.finishedAtMs ?? 0;
  const situation = exit.probeOutput === undefined ? 'restarted' : 'restarted-for-probe';
  return [{ situation, about, lastFailure: { step: 'start', atMs, error: exitText(exit) } }];
}

/** Nothing is the matter. */
function quiet(question: PodQuestion, ready: boolean): Finding {
  const { story, state } = question;
  if (ready) return { situation: 'ready' };
  if (isEnding(question) || state.pod === undefined) {
    // The source has no object any more when somebody has deleted it, too.
    const isRemoved =
      story.last('pod.received')?.operation === 'remove' && story.last('pod.ending')?.cause !== 'deleted';
    return { situation: isRemoved ? 'removed' : 'ended' };
  }
  return { situation: state.status?.phase === 'Running' ? 'running' : 'queued' };
}

function probeOf(killedFor: string): string {
  const probe = /(\w+) probe/.exec(killedFor)?.[0];
  return probe === undefined ? 'another event' : `the ${probe}`;
}
