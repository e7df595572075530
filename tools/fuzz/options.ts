import { parseArgs } from 'node:util';

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  readonly list: boolean;
  /** The program reads these files with one target, instead of fuzzing. */
  readonly files: readonly string[];
  /** Names of the targets. */
  readonly targets: readonly string[];
}

/** Parses and checks the options. Throws with a sentence for the user when one is wrong. */
export function parseOptions(args: readonly string[], names: readonly string[]): FuzzOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      inputs: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      input: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`there is no target ${unknown.join(', ')}; the targets are ${names.join(', ')}`);
  if (values.input.length > 0 && positionals.length !== 1) {
    throw new Error('--input needs the name of the one target that reads the file');
  }
  return {
    inputs: wholeNumber('inputs', values.inputs),
    seed: wholeNumber('seed', values.seed),
    list: values.list,
    files: values.input,
    targets: positionals.length === 0 ? names : positionals,
  };
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${flag} ${text}: must be a whole number from 1 to 999999999`);
}
