import type { JournalEntry } from '@podwright/journal-interface';
import { isNewer } from '../../story.js';
import { retryOf, stepResult, type Finding, type StepResult } from '../finding.js';
import { openKills } from '../open-kills.js';
import { isEnding, type PodQuestion } from '../pod-question.js';

/** The end of the pod: its containers, its volumes, its object. */
export function endingStep(question: PodQuestion): StepResult {
  const { story, state } = question;
  if (!isEnding(question)) return stepResult('ending', 'later');
  const ending = story.last('pod.ending');
  const ended = story.last('pod.ended');
  const facts = { cause: ending?.cause, gracePeriodSeconds: ending?.gracePeriodSeconds };
  const sinceMs = ending?.atMs;
  if (ended !== undefined || state.work === 'finished') {
    const finding = keptObject(question);
    const details = { sinceMs: ended?.atMs ?? sinceMs, tookMs: ended?.endingMs, facts };
    return stepResult('ending', finding === undefined ? 'done' : 'waiting', details, finding);
  }
  // Nobody works on it any more: the journal may lack the end of what happened while no kubelet ran.
  const isUnknown = state.pod === undefined && state.work === 'none';
  const wait = isUnknown ? volumeWait(question) : (killWait(question) ?? volumeWait(question) ?? failedTurn(question));
  if (wait !== undefined)
    return stepResult('ending', wait.lastFailure ? 'failed' : 'waiting', { sinceMs, facts }, wait);
  if (isUnknown) return stepResult('ending', 'done', { sinceMs, facts });
  const waitsFor = { what: 'the end of its clean-up', ...(sinceMs !== undefined && { sinceMs }) };
  return stepResult('ending', 'now', { sinceMs, facts }, { situation: 'ending-cleanup', waitsFor });
}

function killWait({ story, nowMs, state }: PodQuestion): Finding | undefined {
  const ending = story.last('pod.ending');
  if (state.work === 'stopped') return undefined;
  const open = openKills(story);
  const [first] = open;
  if (first === undefined) return undefined;
  const { kill, killed } = first;
  const names = open.map(({ kill: { container } }) => container).join(', ');
  const sinceMs = ending?.atMs ?? kill.atMs;
  const untilMs = kill.atMs + kill.gracePeriodSeconds * 1000;
  const waitsFor = { what: `the end of container ${names}`, sinceMs };
  const about = { container: `container ${names}` };
  if (killed?.error !== undefined) {
    const lastFailure = { step: 'ending', atMs: killed.atMs, error: killed.error } as const;
    return { situation: 'ending-kill-failed', about, waitsFor, lastFailure, ...retryOf(story.last('pod.sync')) };
  }
  return nowMs <= untilMs + 2_000
    ? {
        situation: 'ending-grace',
        about,
        waitsFor: { what: `${waitsFor.what}, for ${kill.gracePeriodSeconds} s at most`, sinceMs },
      }
    : { situation: 'ending-overdue', about, waitsFor };
}

function volumeWait({ story }: PodQuestion): Finding | undefined {
  const isUnmount = ({ operation }: JournalEntry<'volume.failed'>): boolean => operation.startsWith('unmount');
  const failed = story.last('volume.failed', isUnmount);
  const gone = failed && story.last('volume.unmounted', ({ volume }) => volume === failed.volume);
  const ending = story.last('pod.ending');
  if (failed !== undefined && isNewer(failed, ending) && !isNewer(gone, failed)) {
    const { volume, atMs, error, failures: times, retryAtMs } = failed;
    const sinceMs = story.first('volume.failed', (entry) => isUnmount(entry) && isNewer(entry, ending))?.atMs ?? atMs;
    return {
      ...{ situation: 'ending-volume', about: { volume }, waitsFor: { what: `volume ${volume}`, sinceMs } },
      ...{ lastFailure: { step: 'ending', atMs, error, times, sinceMs }, retryAtMs },
    };
  }
  const waiting = story.last('volumes.waiting', ({ operation }) => operation === 'unmount');
  if (waiting === undefined || !isNewer(waiting, ending)) return undefined;
  const { volumes, atMs, error, waitedMs } = waiting;
  const volume = volumes.join(', ');
  const sinceMs = (story.first('volumes.waiting', (entry) => entry.operation === 'unmount')?.atMs ?? atMs) - waitedMs;
  return {
    ...{ situation: 'ending-volume', about: { volume }, waitsFor: { what: `volume ${volume}`, sinceMs } },
    lastFailure: { step: 'ending', atMs, error },
    ...retryOf(story.last('pod.sync')),
  };
}

function failedTurn({ story }: PodQuestion): Finding | undefined {
  const sync = story.last('pod.sync');
  if (sync?.error === undefined || sync.state === 'sync') return undefined;
  const { atMs, error, failures, failingSinceMs } = sync;
  return {
    situation: sync.state === 'terminating' ? 'ending-kill-failed' : 'ending-cleanup',
    about: { container: 'its containers' },
    waitsFor: { what: 'the end of its containers', sinceMs: failingSinceMs ?? atMs },
    lastFailure: {
      ...{ step: 'ending', atMs, error },
      ...(failures !== undefined && { times: failures }),
      ...(failingSinceMs !== undefined && { sinceMs: failingSinceMs }),
    },
    ...retryOf(sync),
  };
}

/** The API object of a pod that has ended: it stays for finalizers, or until the server can be reached. */
function keptObject({ story, state }: PodQuestion): Finding | undefined {
  const { pod } = state;
  if (pod?.metadata.deletionTimestamp === undefined || !state.hasApiServer) return undefined;
  const finalizers = pod.metadata.finalizers ?? [];
  const deleted = story.last('pod.deleted');
  const sinceMs = story.last('pod.ended')?.atMs;
  const since = sinceMs === undefined ? {} : { sinceMs };
  if (finalizers.length > 0) {
    const about = { finalizers: finalizers.join(', ') };
    return { situation: 'ending-finalizers', about, waitsFor: { what: `finalizers ${about.finalizers}`, ...since } };
  }
  return deleted ? undefined : { situation: 'ending-object', waitsFor: { what: 'the API server', ...since } };
}
