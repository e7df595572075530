import type { Random } from '@podwright/time';

export interface Material {
  readonly random: Random;
  /** What was kept so far; never empty. */
  readonly inputs: readonly Buffer[];
  readonly words: readonly Buffer[];
  readonly maxBytes: number;
}

const bytes = [0, 1, 0x7f, 0x80, 0xff, ...Buffer.from('\n\r\t "\'{}[]:,-#&*!|>%@\\/.=;~<')];
const numbers = [
  '0',
  '-1',
  '1',
  '127',
  '256',
  '65536',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '1e9',
  '1e400',
  '-0',
  '0x10',
];
const largeNumbers = [
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '99999999999999999999',
  '0.1',
  '١',
  'NaN',
];
const integers = [0, 1, 0x7f, 0xff, 0x100, 0x7fff, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/** Some changes at random places, of the kinds that find faults in parsers. */
export function mutate(input: Buffer, material: Material): Buffer {
  let changed = input;
  const changes = 1 << below(material.random, 5);
  for (let change = 0; change < changes; change++) changed = once(changed, material);
  return changed.length > material.maxBytes ? changed.subarray(0, material.maxBytes) : changed;
}

function once(input: Buffer, { random, inputs, words }: Material): Buffer {
  const at = below(random, input.length + 1);
  const rest = input.length - at;
  const length = Math.min(rest, 1 + below(random, random.next() < 0.8 ? 8 : 256));
  const replaced = (part: Uint8Array, gone: number): Buffer =>
    Buffer.concat([input.subarray(0, at), part, input.subarray(Math.min(input.length, at + gone))]);
  switch (below(random, 12)) {
    case 0:
      return replaced(Buffer.from([(input[at] ?? 0) ^ (1 << below(random, 8))]), 1);
    case 1:
      return replaced(Buffer.from([pick(random, bytes) ?? 0]), below(random, 2));
    case 2:
      return replaced(Buffer.from([below(random, 256)]), below(random, 2));
    case 3:
      return replaced(Buffer.alloc(0), length);
    case 4: // Once more what stands there, perhaps often: nesting, repeated keys.
      return replaced(
        Buffer.alloc(length * (1 + below(random, random.next() < 0.9 ? 3 : 60)), input.subarray(at, at + length)),
        0,
      );
    case 5:
      return replaced(pick(random, words) ?? Buffer.alloc(0), 0);
    case 6:
      return replaced(pick(random, words) ?? Buffer.alloc(0), length);
    case 7:
      return replaced(integer(random), below(random, 2) * 4);
    case 8:
      return withNumber(input, at, random);
    case 9: {
      const other = pick(random, inputs) ?? input;
      const from = below(random, other.length + 1);
      return replaced(other.subarray(from, from + 1 + below(random, 64)), below(random, 2) * length);
    }
    case 10: {
      const from = below(random, input.length + 1);
      return replaced(input.subarray(from, from + length), below(random, 2) * length);
    }
    default: {
      const other = pick(random, inputs) ?? input;
      return Buffer.concat([input.subarray(0, at), other.subarray(below(random, other.length + 1))]);
    }
  }
}

function integer(random: Random): Buffer {
  const value = pick(random, integers) ?? 0;
  const size = [1, 2, 4, 8][below(random, 4)] ?? 1;
  const made = Buffer.alloc(8);
  if (below(random, 2) === 0) made.writeUInt32BE(value, 4);
  else made.writeUInt32LE(value, 0);
  return size === 8 ? made : value > 0xff && below(random, 2) === 0 ? made.subarray(8 - size) : made.subarray(0, size);
}

/** Replaces the next decimal number after a place. */
function withNumber(input: Buffer, at: number, random: Random): Buffer {
  const text = input.toString('latin1');
  const found = /\d+/.exec(text.slice(at));
  if (found === null) return input;
  const number = pick(random, random.next() < 0.5 ? numbers : largeNumbers) ?? '';
  const from = at + found.index;
  return Buffer.concat([input.subarray(0, from), Buffer.from(number), input.subarray(from + found[0].length)]);
}

export const below = (random: Random, limit: number): number => Math.floor(random.next() * limit);

function pick<T>(random: Random, list: readonly T[]): T | undefined {
  return list[below(random, list.length)];
}
