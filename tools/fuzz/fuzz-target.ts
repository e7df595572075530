/** Something that reads bytes which somebody else wrote. */
export interface FuzzTarget {
  readonly name: string;
  /** What it reads, and who writes that; for the table. */
  readonly reads: string;
  /** Valid inputs, from which the fuzzer starts. */
  readonly seeds: () => readonly (Uint8Array | string)[];
  /** Reads one input, or resolves when it has. May throw what `refuses` accepts, and nothing else; must not keep anything. */
  readonly run: (input: Buffer) => unknown;
  /** Whether an error is the declared answer to bad input. Default: a KubeletError whose causes are no faults of ours. */
  readonly refuses: (error: unknown) => boolean;
  /** The longest input that the fuzzer makes, in bytes. */
  readonly maxBytes: number;
}

type TargetParts = Pick<FuzzTarget, 'name' | 'reads' | 'seeds' | 'run'> & Partial<FuzzTarget>;

/** A target with the defaults of all. */
export function fuzzTarget(parts: TargetParts): FuzzTarget {
  return { refuses: refusesInput, maxBytes: 4096, ...parts };
}

/** Errors of the engine: they say that code did what nobody meant, also as the cause of an error that looks intended. */
const engineErrors = new Set(['TypeError', 'RangeError', 'ReferenceError', 'EvalError', 'InternalError']);
/** Node throws a TypeError for bytes that are no UTF-8, and for text that is no URL. */
const intended = new Set<unknown>(['ERR_ENCODING_INVALID_ENCODED_DATA', 'ERR_INVALID_URL']);

/** True for a KubeletError that no error of the engine caused. */
export function refusesInput(error: unknown): boolean {
  return error instanceof Error && error.name === 'KubeletError' && !causesOf(error).some(isEngineError);
}

/** True for errors of these names that no error of the engine caused. */
export function refusesAs(...names: readonly string[]): FuzzTarget['refuses'] {
  return (error) => error instanceof Error && names.includes(error.name) && !causesOf(error.cause).some(isEngineError);
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 20; each = each.cause) causes.push(each);
  return causes;
}

function isEngineError(error: Error): boolean {
  return engineErrors.has(error.name) && !intended.has((error as NodeJS.ErrnoException).code);
}

/** Lets a parser of texts read the bytes of an input. */
export const text =
  (read: (text: string) => unknown, encoding: BufferEncoding = 'utf8'): FuzzTarget['run'] =>
  (input) =>
    read(input.toString(encoding));

/** Several small parsers as one target: the first byte of an input says which of them reads the rest. */
export function eachOf(readers: Readonly<Record<string, (input: Buffer) => unknown>>): {
  readonly run: FuzzTarget['run'];
  /** Puts the first byte before a valid input of the reader of this name. */
  readonly seed: (name: string, content: Uint8Array | string) => Buffer;
} {
  const names = Object.keys(readers);
  return {
    run: (input) => readers[names[(input[0] ?? 0) % names.length] ?? '']?.(input.subarray(1)),
    seed: (name, content) => {
      if (!names.includes(name)) throw new Error(`no reader ${name}`);
      return Buffer.concat([Buffer.from([names.indexOf(name)]), Buffer.from(content)]);
    },
  };
}
