import type { ProbeOutcome, Probers } from '@podwright/probe-interface';
import { placeholder } from './placeholder.js';

const mostOutput = 256;

/** What a command or a server has printed stays out; why a server could not be reached stays. */
export function maskProbeOutcome(kind: keyof Probers, outcome: ProbeOutcome): ProbeOutcome {
  if (!('output' in outcome)) return outcome;
  const { output, result } = outcome;
  const tells = kind !== 'exec' && result !== 'success' && result !== 'warning';
  return { ...outcome, output: tells ? output.slice(0, mostOutput) : placeholder(Math.min(output.length, mostOutput)) };
}
