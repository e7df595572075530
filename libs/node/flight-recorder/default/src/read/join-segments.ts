import type { RecordingHeader, RecordingLine } from '@podwright/flight-recorder-interface';

/** Lines of one segment, in the time of its process. */
export interface Segment {
  readonly header: RecordingHeader;
  readonly lines: readonly RecordingLine[];
  /** Something is missing at its end. */
  readonly torn: boolean;
}

/**
 * The segments of one process as one recording. Begins with the oldest from which on nothing is missing, with its
 * snapshot, at instant 0; those of later ones repeat what is known.
 */
export function joinSegments(segments: readonly [Segment, ...Segment[]]): Segment {
  let whole: readonly [Segment, ...Segment[]] = [segments[0]];
  for (const [index, segment] of segments.slice(1).entries()) {
    whole = continues(segment, segments[index] as Segment) ? [...whole, segment] : [segment];
  }
  const [{ header }, ...later] = whole;
  const { at: sinceMs = 0 } = header;
  const lines = [...whole[0].lines, ...later.flatMap((segment) => segment.lines.filter((line) => !isSnapshot(line)))];
  return {
    header,
    lines: sinceMs === 0 ? lines : lines.map((line) => ({ ...line, at: line.at - sinceMs })),
    torn: (later.at(-1) ?? whole[0]).torn,
  };
}

/** True: the line says what was there when its segment began. */
export const isSnapshot = (line: RecordingLine): boolean => 'snapshot' in line && line.snapshot === true;

const numberOf = ({ header: { segment = 1 } }: Segment): number => segment;

const continues = (segment: Segment, before: Segment): boolean =>
  !before.torn && numberOf(segment) === numberOf(before) + 1;
