import { KubeletError } from '@podwright/errors';

/** More CPUs than any kernel supports; it bounds lists such as `0-999999`. */
const maxCpu = 65_535;

/** Parses a CPU list such as `0-3,7` into sorted CPU numbers, each once. @throws KubeletError `invalid-argument`. */
export function parseCpuList(text: string): readonly number[] {
  const ranges: [start: number, end: number][] = [];
  if (text === '') return [];
  for (const part of text.split(',')) {
    const match = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part);
    if (match === null) {
      const wrong = part.split(/-(.*)/s, 2).find((text) => !/^\d{1,6}$/.test(text)) ?? part;
      throw fault(`strconv.Atoi: parsing ${JSON.stringify(wrong)}: invalid syntax`);
    }
    const start = Number(match[1]);
    const end = Number(match[2] ?? match[1]);
    if (start > end) throw fault(`invalid range ${JSON.stringify(part)} (${start} > ${end})`);
    if (end > maxCpu) throw fault(`CPU ${end} is out of range`);
    ranges.push([start, end]);
  }
  // Bytes, not a set: a text of 4 KiB may name all CPUs 500 times.
  const listed = new Uint8Array(ranges.reduce((most, [, end]) => Math.max(most, end), 0) + 1);
  for (const [start, end] of ranges) listed.fill(1, start, end + 1);
  return Array.from(listed.keys()).filter((cpu) => listed[cpu] === 1);
}

function fault(message: string): KubeletError {
  return new KubeletError(message, { code: 'invalid-argument' });
}
