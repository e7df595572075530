import type { JournalEntry } from '@podwright/journal-interface';
import { placeholder } from './placeholder.js';

// How the network probers say why there was no good answer; anything else may be what a command has printed.
const safeOutput = /^(HTTP probe failed with statuscode: \d+$|Get "|dial tcp |timeout: |service unhealthy )/;

/** A decision without what containers have printed. */
export function maskDecision(entry: JournalEntry): JournalEntry {
  switch (entry.kind) {
    case 'probe.result':
      return safeOutput.test(entry.output) ? entry : { ...entry, output: placeholder(entry.output.length) };
    case 'container.exited':
      return entry.message === undefined ? entry : { ...entry, message: placeholder(entry.message.length) };
    case 'container.failed':
      // The error of a hook quotes the output of its command.
      return /Hook/.test(entry.reason) ? { ...entry, error: placeholder(entry.error.length) } : entry;
    case 'pod.sync':
      return entry.error === undefined
        ? entry
        : { ...entry, error: entry.error.replace(/(HookError: ).*/s, '$1masked') };
    default:
      return entry;
  }
}
