import type { LaneMark } from '@podwright/console-interface';
import type { JournalEntry } from '@podwright/journal-interface';

/** The moment that an entry is, if people want to see it. */
export function laneMark(entry: JournalEntry): LaneMark | undefined {
  const { atMs } = entry;
  switch (entry.kind) {
    case 'pod.received':
      return entry.operation === 'add' ? { kind: 'received', atMs, text: `received from ${entry.source}` } : undefined;
    case 'pod.refused':
      return { kind: 'refused', atMs, text: `${entry.reason}: ${entry.message}` };
    case 'container.started':
      return entry.restartCount === 0
        ? { kind: 'started', atMs, text: 'started', of: entry.container }
        : { kind: 'restarted', atMs, text: `started again, restart ${entry.restartCount}`, of: entry.container };
    case 'container.exited': {
      const { exitCode, reason, message, container } = entry;
      const text = `exit code ${exitCode}, ${reason}${message === undefined ? '' : `: ${message}`}`;
      return { kind: 'exited', atMs: entry.finishedAtMs ?? atMs, text, of: container };
    }
    case 'probe.result':
      return entry.outcome === 'success'
        ? undefined
        : { kind: 'probe-failed', atMs, text: `${entry.probe} probe: ${entry.output}`, of: entry.container };
    case 'oom.killed':
      return {
        kind: 'oom',
        atMs,
        text: `the kernel killed process ${entry.pid} (${entry.process}) because memory ran out`,
      };
    case 'eviction': {
      return { kind: 'evicted', atMs, text: entry.evicted[0]?.message ?? 'evicted' };
    }
    case 'pod.ended':
      return { kind: 'ended', atMs, text: 'ended' };
    default:
      return failure(entry);
  }
}

function failure(entry: JournalEntry): LaneMark | undefined {
  const { atMs } = entry;
  switch (entry.kind) {
    case 'container.failed':
      return { kind: 'failed', atMs, text: `${entry.reason}: ${entry.error}`, of: entry.container };
    case 'sandbox.failed':
      return { kind: 'failed', atMs, text: `sandbox: ${entry.error}` };
    case 'volume.failed':
      return { kind: 'failed', atMs, text: `${entry.operation}: ${entry.error}`, of: entry.volume };
    case 'hook.failed':
      return { kind: 'failed', atMs, text: `${entry.hook} hook failed`, of: entry.container };
    case 'image.pull':
      return entry.state === 'failed'
        ? { kind: 'failed', atMs, text: `${entry.reason ?? 'pull failed'}: ${entry.error ?? ''}`, of: entry.image }
        : undefined;
    default:
      return undefined;
  }
}
