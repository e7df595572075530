import { retryOf, stepResult, type Finding, type StepResult } from '../finding.js';
import { hasStarted, isEnding, type PodQuestion } from '../pod-question.js';
import { networkWait } from './network-wait.js';
import { isOverdue } from './overdue.js';
import { preparationFailure } from './preparation-failure.js';

const ofNetwork = /network|\bcni\b/i;

/** The sandbox and the network: one call of the runtime makes both. */
export function sandboxSteps(
  question: PodQuestion,
  volumes: StepResult,
): readonly [sandbox: StepResult, network: StepResult] {
  const { story, state } = question;
  const created = story.last('sandbox.created');
  const failing = story.failing(story.all('sandbox.failed'), created);
  const isHostNetwork = state.pod?.spec.hostNetwork === true;
  const noNetwork = networkWait(question);
  if (failing !== undefined && !isEnding(question)) {
    const { first, last, times } = failing;
    const { step, error, durationMs: tookMs, atMs } = last;
    const isNetworks = step === 'create' && ofNetwork.test(error);
    const finding: Finding = {
      situation: situationOf(step, error, isNetworks),
      waitsFor: { what: isNetworks ? 'its network' : 'its sandbox', sinceMs: first.atMs },
      lastFailure: { step: isNetworks ? 'network' : 'sandbox', atMs, error, times, sinceMs: first.atMs },
      ...retryOf(story.last('pod.sync')),
    };
    const details = { sinceMs: first.atMs, tookMs, facts: { times } };
    return isNetworks
      ? [stepResult('sandbox', 'waiting', { sinceMs: first.atMs }), stepResult('network', 'failed', details, finding)]
      : [stepResult('sandbox', 'failed', details, finding), stepResult('network', isHostNetwork ? 'skipped' : 'later')];
  }
  if (hasStarted(question)) {
    const { atMs: sinceMs, durationMs: tookMs, waitedMs, attempt } = created ?? {};
    const ips = state.podIps.length > 0 ? state.podIps : (created?.podIps ?? []);
    const replaced = story.all('sandbox.replaced').length;
    const facts = {
      waitedMs: waitedMs !== undefined && waitedMs >= 1 ? waitedMs : undefined,
      attempt: attempt !== undefined && attempt > 0 ? attempt : undefined,
      replaced: replaced > 0 ? replaced : undefined,
    };
    return [
      stepResult('sandbox', 'done', { sinceMs, tookMs, facts }),
      isHostNetwork
        ? stepResult('network', 'skipped', { facts: { hostNetwork: true } })
        : stepResult('network', 'done', { sinceMs, facts: { ips: ips.length > 0 ? ips : undefined } }),
    ];
  }
  const network = noNetwork ?? stepResult('network', isHostNetwork ? 'skipped' : 'later');
  const began = story.last('pod.sync') ?? story.last('pod.admitted');
  if (isEnding(question)) return [stepResult('sandbox', 'skipped'), stepResult('network', 'skipped')];
  const isReached = volumes.step.state === 'done' || volumes.step.state === 'skipped';
  const notPrepared = preparationFailure(question);
  if (noNetwork !== undefined || state.work !== 'sync' || (!isReached && notPrepared === undefined)) {
    return [stepResult('sandbox', 'later'), network];
  }
  if (notPrepared !== undefined) {
    return [stepResult('sandbox', 'failed', { sinceMs: notPrepared.waitsFor?.sinceMs }, notPrepared), network];
  }
  const sinceMs = story.last('volumes.ready')?.atMs ?? began?.atMs;
  const isLate = isOverdue(question, story.last('volumes.ready') ?? began);
  const finding: Finding = {
    situation: isLate ? 'sandbox-overdue' : 'sandbox-starting',
    waitsFor: { what: 'its sandbox, or a place among the pods that start', ...(sinceMs !== undefined && { sinceMs }) },
  };
  return [stepResult('sandbox', 'now', { sinceMs }, finding), network];
}

function situationOf(step: string, error: string, isNetworks: boolean): Finding['situation'] {
  if (step === 'claims') return 'claims-failed';
  if (/runtimeclass|runtime handler|RuntimeHandler|no runtime for /i.test(error)) return 'runtime-class-missing';
  return isNetworks ? 'network-failed' : 'sandbox-failed';
}
