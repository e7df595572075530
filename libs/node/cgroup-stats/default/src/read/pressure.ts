import type { Pressure, PressureLine } from '@podwright/cgroup-stats-interface';

const none: PressureLine = { totalUs: 0, avg10: 0, avg60: 0, avg300: 0 };

/** Parses `some avg10=0.00 avg60=0.00 avg300=0.00 total=0` and the `full` line, which old kernels lack for the CPU. */
export function parsePressure(text: string | undefined): Pressure | undefined {
  if (text === undefined) return undefined;
  return { full: lineOf('full', text), some: lineOf('some', text) };
}

function lineOf(kind: string, text: string): PressureLine {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${kind} `));
  if (line === undefined) return none;
  const value = (name: string): number => Number(new RegExp(`\\b${name}=([\\d.]+)`).exec(line)?.[1] ?? 0);
  return { totalUs: value('total'), avg10: value('avg10'), avg60: value('avg60'), avg300: value('avg300') };
}
