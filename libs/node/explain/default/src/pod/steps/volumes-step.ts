import type { PodSituation } from '@podwright/explain-interface';
import { isNewer } from '../../story.js';
import { retryOf, stepResult, type Finding, type StepResult } from '../finding.js';
import { missingObject, withoutApiServer } from '../missing-object.js';
import { hasStarted, isEnding, type PodQuestion } from '../pod-question.js';
import { networkWait } from './network-wait.js';
import { preparationFailure } from './preparation-failure.js';

export function volumesStep(question: PodQuestion): StepResult {
  const { story, state } = question;
  const names = (state.pod?.spec.volumes ?? []).map(({ name }) => name);
  const ready = story.last('volumes.ready');
  const gaveUp = story.last('volumes.waiting', ({ operation }) => operation === 'mount');
  if (state.pod !== undefined && names.length === 0) return stepResult('volumes', 'skipped');
  if (hasStarted(question) || isNewer(ready, gaveUp)) {
    const count = names.length > 0 ? names.length : ready?.volumes.length;
    return stepResult('volumes', 'done', { sinceMs: ready?.atMs, tookMs: ready?.waitedMs, facts: { count } });
  }
  const began = story.last('pod.sync') ?? story.last('pod.admitted') ?? gaveUp;
  if (isEnding(question)) return stepResult('volumes', 'skipped');
  if (networkWait(question) !== undefined) return stepResult('volumes', 'later');
  if (state.work === 'none' && began === undefined) return stepResult('volumes', 'later');
  const missing = names.filter((name) => !state.mounted.includes(name));
  const failure = failureOf(question);
  const waited = missing.length > 0 ? missing : (gaveUp?.volumes ?? []);
  const sinceMs = story.last('pod.admitted')?.atMs ?? began?.atMs;
  if (failure !== undefined) {
    const { lastFailure } = failure;
    return stepResult(
      'volumes',
      'failed',
      { sinceMs: lastFailure?.sinceMs ?? sinceMs, facts: { missing: waited } },
      failure,
    );
  }
  if (preparationFailure(question) !== undefined) return stepResult('volumes', 'later');
  if (waited.length === 0) return stepResult('volumes', state.work === 'sync' ? 'done' : 'later', {});
  // New pods prepare in turns, and nothing tells whose turn has come.
  const turn = (story.last('pod.sync') ?? state.mounted[0]) ? '' : ', or for its turn among the pods that start';
  const finding = {
    situation: 'volume-waiting',
    about: { volume: waited.join(', '), turn },
    waitsFor: { what: `volumes ${waited.join(', ')}`, ...(sinceMs !== undefined && { sinceMs }) },
  } as const;
  return stepResult('volumes', 'waiting', { sinceMs, facts: { missing: waited } }, finding);
}

function failureOf({ story }: PodQuestion): Finding | undefined {
  const gaveUp = story.last('volumes.waiting', ({ operation }) => operation === 'mount');
  const failed = story.last('volume.failed', ({ operation }) => operation === 'mount' || operation === 'attach');
  const mounted = failed && story.last('volume.mounted', ({ volume }) => volume === failed.volume);
  const first = story.first('volume.failed', (entry) => entry.volume === failed?.volume && isNewer(entry, mounted));
  if (failed !== undefined && !isNewer(mounted, failed)) {
    const { volume, error, failures, retryAtMs, atMs } = failed;
    const object = missingObject(error);
    return {
      situation: situationOf(error, object, gaveUp?.unattached.includes(volume) ?? false),
      about: { volume, user: `Volume ${volume}`, object: object ?? 'an object of the API' },
      waitsFor: { what: `volume ${volume}`, ...(first && { sinceMs: first.atMs }) },
      lastFailure: { step: 'volumes', atMs, error, times: failures, ...(first && { sinceMs: first.atMs }) },
      retryAtMs,
    };
  }
  if (gaveUp === undefined) return undefined;
  const { atMs, error, volumes, unattached, unresolved } = gaveUp;
  const volume = (unattached.length > 0 ? unattached : unresolved.length > 0 ? unresolved : volumes).join(', ');
  const object = missingObject(error);
  const bare = unresolved.length > 0 ? 'volume-unresolved' : 'volume-failed';
  const begun = story.first('volumes.waiting')?.atMs ?? atMs;
  return {
    situation: unattached.length > 0 ? 'volume-unattached' : object !== undefined ? 'volume-object-missing' : bare,
    about: { volume, user: `Volume ${volume}`, object: object ?? 'an object of the API' },
    waitsFor: { what: `volume ${volume}`, sinceMs: begun - (story.first('volumes.waiting')?.waitedMs ?? 0) },
    lastFailure: { step: 'volumes', atMs, error },
    ...retryOf(story.last('pod.sync')),
  };
}

function situationOf(error: string, object: string | undefined, unattached: boolean): PodSituation {
  if (withoutApiServer.test(error)) return 'object-without-api-server';
  if (object !== undefined) return 'volume-object-missing';
  if (/not found in the list of registered CSI drivers/.test(error)) return 'volume-driver-missing';
  if (/hostPath type check failed/.test(error)) return 'volume-host-path';
  if (unattached || /not attached|attachment/i.test(error)) return 'volume-unattached';
  return 'volume-failed';
}
