import { timeMs } from '@podwright/kube-types';
import type { ExplainedContainer, ExplainedProbe } from '@podwright/explain-interface';
import { containersOf, isUp, probesOf, type PodContainer } from '../container-list.js';
import { stepResult, type Finding, type StepResult } from '../finding.js';
import { probeKill } from '../probe-kill.js';
import { isEnding, type PodQuestion } from '../pod-question.js';
import { isConditionTrue } from '../pod-state.js';

/** So many changes of a result within ten minutes are flapping. */
const flapping = 3;

export function probesStep(question: PodQuestion, explained: readonly ExplainedContainer[]): StepResult {
  const { story, state } = question;
  const containers = containersOf(state.pod, state.status);
  const probed = containers.filter((container) => probesOf(container).length > 0);
  const gates = state.pod?.spec.readinessGates ?? [];
  if (isEnding(question) || (containers.length > 0 && probed.length === 0 && gates.length === 0)) {
    return stepResult('probes', 'skipped');
  }
  for (const { name, probes } of explained) {
    const finding = probeKill(question, name, probes);
    if (finding !== undefined) {
      const facts = { probe: finding.about?.['probe'], container: name };
      return stepResult('probes', 'failed', { sinceMs: finding.waitsFor?.sinceMs, facts }, finding);
    }
  }
  if (!containers.every((container) => isUp(container) || container.type === 'ephemeral'))
    return stepResult('probes', 'later');
  for (const container of probed) {
    const about = explained.find(({ name }) => name === container.name);
    const result = about && probeResult(question, container, about);
    if (result !== undefined) return result;
  }
  const gate = gates.find(({ conditionType }) => !isConditionTrue(state.status, conditionType));
  if (gate !== undefined) {
    const { conditionType } = gate;
    const sinceMs = timeMs(
      state.status?.conditions?.find(({ type }) => type === 'ContainersReady')?.lastTransitionTime,
    );
    const finding: Finding = {
      situation: 'readiness-gate',
      about: { gate: conditionType },
      waitsFor: { what: `condition ${conditionType}`, ...(sinceMs !== undefined && { sinceMs }) },
    };
    return stepResult('probes', 'waiting', { sinceMs, facts: { gate: conditionType } }, finding);
  }
  const readyMs = timeMs(state.status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime);
  const startedMs = story.last('container.started')?.atMs;
  const tookMs =
    readyMs !== undefined && startedMs !== undefined && readyMs >= startedMs ? readyMs - startedMs : undefined;
  return stepResult('probes', 'done', { sinceMs: readyMs, tookMs });
}

function probeResult(
  { story }: PodQuestion,
  container: PodContainer,
  { name, ready, probes, sinceMs }: ExplainedContainer,
): StepResult | undefined {
  const { status } = container;
  const kinds = new Set(probesOf(container).map(([kind]) => kind));
  const flaps = probes.find(({ changes, probe }) => changes >= flapping && probe !== 'startup');
  if (flaps !== undefined) {
    const failure = story.last(
      'probe.result',
      (attempt) => attempt.container === name && attempt.probe === flaps.probe && attempt.outcome === 'failure',
    );
    return failing(name, flaps, 'probe-flapping', ready ? 'now' : 'failed', failure);
  }
  const broken = probes.find(({ outcome }) => outcome === 'error');
  if (broken !== undefined) return failing(name, broken, 'probe-error', 'failed');
  const about = { container: name };
  if (kinds.has('startup') && status?.started !== true) {
    const startup = probes.find(({ probe }) => probe === 'startup');
    if (startup?.outcome === 'failure') return failing(name, startup, 'startup-failing', 'failed');
    const waitsFor = { what: `the startup probe of container ${name}`, ...(sinceMs !== undefined && { sinceMs }) };
    return stepResult('probes', 'now', { sinceMs }, { situation: 'startup-probing', about, waitsFor });
  }
  if (kinds.has('readiness') && !ready) {
    const readiness = probes.find(({ probe }) => probe === 'readiness');
    if (readiness?.outcome === 'failure') return failing(name, readiness, 'readiness-failing', 'failed');
    const waitsFor = { what: `the readiness probe of container ${name}`, ...(sinceMs !== undefined && { sinceMs }) };
    return stepResult('probes', 'now', { sinceMs }, { situation: 'readiness-waiting', about, waitsFor });
  }
  return undefined;
}

function failing(
  container: string,
  { probe, atMs, output, inARow, threshold, changes }: ExplainedProbe,
  situation: Finding['situation'],
  state: 'now' | 'failed',
  /** The attempt that shows why, when it is not the last one. */
  failure: Pick<ExplainedProbe, 'atMs' | 'output' | 'inARow'> = { atMs, output, inARow },
): StepResult {
  const finding: Finding = {
    situation,
    about: { container, probe, changes: String(changes) },
    ...(state === 'failed' && { waitsFor: { what: `the ${probe} probe of container ${container}` } }),
    lastFailure: {
      ...{ step: 'probes', atMs: failure.atMs, error: failure.output },
      ...(failure.inARow > 0 && { times: failure.inARow }),
    },
  };
  const facts = { probe, container, inARow, threshold, changes: changes > 0 ? changes : undefined };
  return stepResult('probes', state, { sinceMs: atMs, facts }, finding);
}
