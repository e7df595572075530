import type {
  ExplainedContainer,
  ExplainedExit,
  ExplainedStep,
  Fact,
  Facts,
  PodExplanation,
  StepName,
} from '@podwright/explain-interface';
import { exitText, isOutOfMemory } from '../pod/container-findings.js';
import { labelled, printable, table } from './page.js';
import { bytes, span } from './span.js';

/** The explanation as a page for a terminal, at most about 24 lines of 100 columns: one screen. Without steps that do not matter yet or at all. */
export function printPod(explanation: PodExplanation): string {
  const { pod, uid = pod.uid, phase, source, headline, advice, atMs } = { ...explanation, uid: explanation.pod.uid };
  const { waitsFor, lastFailure: failure, retryAtMs, known } = explanation;
  const ago = (ms: number): string => `${span(atMs - ms)} ago`;
  // What ended without a last status is no longer in the phase that it had.
  const isPast = known === 'gone' && (phase === 'Pending' || phase === 'Running');
  const what = [
    known === 'here' ? undefined : known,
    isPast ? `last ${phase}` : phase,
    explanation.ready ? 'ready' : undefined,
    source === undefined ? undefined : `from ${source}`,
    uid,
  ].filter((part) => part !== undefined);
  const since = waitsFor?.sinceMs === undefined ? '' : `, for ${span(atMs - waitsFor.sinceMs)}`;
  const often = failure?.times !== undefined && failure.times > 1 ? ` (${failure.times} times` : '';
  const first = often === '' ? '' : `${failure?.sinceMs === undefined ? '' : ` since ${ago(failure.sinceMs)}`})`;
  const lines = [
    `Pod ${printable(`${pod.namespace}/${pod.name}`)}${what.length > 0 ? `  (${what.join(', ')})` : ''}`,
    ...labelled('', headline).map((line) => line.trim()),
    '',
    ...labelled('Waits for', waitsFor && `${waitsFor.what}${since}`),
    ...labelled('Last error', failure && `${ago(failure.atMs)}${often}${first}: ${failure.error}`),
    ...labelled('Next try', retryAtMs === undefined ? undefined : untilText(retryAtMs - atMs)),
    ...labelled('What to do', advice),
    ...explanation.notes.flatMap((note) => labelled('Note', note)),
    ...labelled('Similar', (explanation.near ?? []).join(', ')),
    ...table(
      ['STEP', 'STATE', 'SINCE', 'TOOK', 'FACTS'],
      shownSteps(explanation.steps).map((step) => stepRow(step, ago)),
    ),
    ...table(
      ['CONTAINER', 'STATE', 'SINCE', 'RESTARTS', 'LAST EXIT, PROBES'],
      explanation.containers.map((container) => containerRow(container, atMs, failure?.error ?? '')),
    ),
  ];
  return `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;
}

const untilText = (ms: number): string => (ms > 0 ? `in ${span(ms)}` : 'due now');

interface ShownStep extends Omit<ExplainedStep, 'step'> {
  readonly step: string;
}

/** What is done as a rule within a moment, and one after the other. */
const together: readonly (readonly StepName[])[] = [
  ['source', 'admission', 'queue'],
  ['sandbox', 'network'],
];
/** How the pod has started does not matter much when it ends. */
const start: readonly StepName[] = ['source', 'admission', 'queue', 'volumes', 'sandbox', 'network', 'image', 'start'];

/** Without steps that do not matter yet or at all; those of a group in one row, when all are done. */
function shownSteps(steps: readonly ExplainedStep[]): readonly ShownStep[] {
  const shown = steps.filter(({ state }) => state !== 'later' && state !== 'skipped');
  const groups = [...(shown.some(({ step }) => step === 'ending') ? [start] : []), ...together];
  const whole = groups
    .map((names) => shown.filter(({ step }) => names.includes(step)))
    .filter((members) => members.length > 1 && members.every(({ state }) => state === 'done'));
  return shown.flatMap((step): readonly ShownStep[] => {
    const members = whole.find((group) => group.includes(step));
    if (members === undefined) return [step];
    return members[0] === step ? [joined(members, step)] : [];
  });
}

function joined(members: readonly ExplainedStep[], first: ExplainedStep): ShownStep {
  const took = members.flatMap(({ tookMs }) => (tookMs === undefined ? [] : [tookMs]));
  // The row is done when its last step is.
  const sinceMs = members.findLast((member) => member.sinceMs !== undefined)?.sinceMs;
  return {
    ...first,
    ...(sinceMs !== undefined && { sinceMs }),
    step: members.length > 3 ? `${first.step} to ${members.at(-1)?.step}` : members.map(({ step }) => step).join(', '),
    facts: Object.assign({}, ...members.map(({ facts }) => facts)) as Facts,
    ...(took.length > 0 && { tookMs: took.reduce((sum, each) => sum + each, 0) }),
  };
}

function stepRow({ step, state, sinceMs, tookMs, facts }: ShownStep, ago: (ms: number) => string): readonly string[] {
  const shown = Object.entries(facts).map(([name, fact]) => factText(name, fact));
  return [
    ...[step, state, sinceMs === undefined ? '' : ago(sinceMs), tookMs === undefined ? '' : span(tookMs)],
    shown.join(', '),
  ];
}

function factText(name: string, fact: Fact): string {
  if (typeof fact === 'number' && name.endsWith('Ms')) return `${name.slice(0, -2)} ${span(fact)}`;
  if (typeof fact === 'number' && name.endsWith('Bytes')) return `${name.slice(0, -5)} ${bytes(fact)}`;
  return `${inWords(name)} ${typeof fact === 'object' ? fact.join(' ') : String(fact)}`;
}

const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** `said`: the last error, above the table. */
function containerRow(container: ExplainedContainer, atMs: number, said: string): readonly string[] {
  const { name, type, state, reason, sinceMs, restarts, exits, ready, backOffUntilMs, probes, facts } = container;
  const [exit] = exits;
  const details = [
    ...(backOffUntilMs === undefined ? [] : [`back-off ${span(backOffUntilMs - atMs)} left`]),
    ...(exit === undefined ? [] : [exitText(said.includes(exitText(exit)) ? withoutAnswer(exit) : exit)]),
    ...(exit?.oom !== undefined ? [oomText(exit.oom)] : exit && isOutOfMemory(exit) ? limitText(facts) : []),
    ...probes.map(({ probe, outcome, inARow, threshold, atMs: at, output }) => {
      const row = outcome === 'error' ? '' : ` ${inARow} of ${threshold}`;
      const isNews = outcome !== 'success' && output !== '' && !said.includes(output.trim());
      return `${probe} ${outcome}${row}, ${span(atMs - at)} ago${isNews ? `: ${output.trim()}` : ''}`;
    }),
  ];
  const shown = state === 'running' && ready ? 'running, ready' : reason === undefined ? state : `${state} ${reason}`;
  return [
    type === 'regular' ? name : `${name} (${type})`,
    ...[shown, sinceMs === undefined ? '' : `${span(atMs - sinceMs)} ago`, String(restarts), details.join('; ')],
  ];
}

const withoutAnswer = ({ probeOutput: _, ...exit }: ExplainedExit): ExplainedExit => exit;

// The kernel's own numbers are missing when its messages cannot be read.
const limitText = ({ memoryLimit }: ExplainedContainer['facts']): readonly string[] =>
  memoryLimit === undefined ? [] : [`its memory limit is ${String(memoryLimit)}`];

function oomText({
  limitOf,
  usageBytes,
  limitBytes,
  process,
}: NonNullable<ExplainedContainer['exits'][number]['oom']>): string {
  const limit = limitBytes === undefined ? '' : ` of ${bytes(limitBytes)}`;
  const usage = usageBytes === undefined ? '' : `, ${bytes(usageBytes)} used`;
  return `the kernel killed ${process} at the limit of the ${limitOf}${limit}${usage}`;
}
