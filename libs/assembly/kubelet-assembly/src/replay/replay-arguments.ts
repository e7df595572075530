import { parseArgs } from 'node:util';
import { KubeletError, messageOf } from '@podwright/errors';
import type { PartialKubeletConfiguration } from '@podwright/kubelet-configuration';
import { parseGoDuration } from '@podwright/time';
import { decodeChanges } from './replayed-configuration.js';

export interface ReplayArguments {
  readonly file: string;
  /** Wall clock, Unix milliseconds, or milliseconds since the recording began; undefined: to its end. */
  readonly until: { readonly atMs: number; readonly from: 'epoch' | 'start'; readonly text: string } | undefined;
  /** Fields of the configuration with their values; undefined is the default of the field. */
  readonly set: PartialKubeletConfiguration;
  /** Show every decision, not only the first difference. */
  readonly all: boolean;
  readonly explain: { readonly pod: string } | 'node' | undefined;
}

export const replayUsage = (program: string): string =>
  `usage: ${program} replay FILE [--until TIME] [--set FIELD=VALUE]... [--all] [explain pod NAMESPACE/NAME | explain node]
  Runs the kubelet of a recording again on the recorded answers and compares what it decides with what was decided then.
  FILE may be a directory, ROOT-DIR/flight-recorder: then it is the newest recording in it.
  Exit code 1: they differ, and the first difference is shown; or explain knows no such pod. Nothing of this machine is touched.
  --until TIME         ends at a moment: 2026-01-02T15:04:05Z, or +1m30s after the beginning
  --set FIELD=VALUE    runs it with another field of KubeletConfiguration, VALUE as JSON or text
  --all                shows every decision beside its counterpart
  explain ...          answers as "podwright explain" would have at that moment`;

/** Undefined: only the usage is wanted. Throws `invalid-argument` with a sentence that names the argument. */
export function readReplayArguments(argv: readonly string[]): ReplayArguments | undefined {
  const { values, positionals } = parsed(argv);
  if (values.help === true || argv.length === 0) return undefined;
  const [file, ...words] = positionals;
  if (file === undefined) throw wrong('replay needs the file of a recording');
  return {
    file,
    until: values.until === undefined ? undefined : readMoment(values.until),
    set: decodeChanges(Object.fromEntries((values.set ?? []).map(readField))),
    all: values.all ?? false,
    explain: readQuestion(words),
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        until: { type: 'string' },
        set: { type: 'string', multiple: true },
        all: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw wrong(messageOf(error));
  }
}

function readMoment(text: string): NonNullable<ReplayArguments['until']> {
  if (text.startsWith('+')) {
    try {
      return { atMs: parseGoDuration(text.slice(1)), from: 'start', text };
    } catch {
      throw wrong(`bad --until ${JSON.stringify(text)}: after + comes a duration such as 90s or 1m30s`);
    }
  }
  const atMs = Date.parse(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(atMs)) return { atMs, from: 'epoch', text };
  throw wrong(`bad --until ${JSON.stringify(text)}: it takes a time such as 2026-01-02T15:04:05Z, or +1m30s`);
}

function readField(text: string): readonly [string, unknown] {
  const at = text.indexOf('=');
  if (at < 1) throw wrong(`bad --set ${JSON.stringify(text)}: it takes FIELD=VALUE, such as maxPods=10`);
  const value = text.slice(at + 1);
  try {
    return [text.slice(0, at), JSON.parse(value)];
  } catch (error) {
    if (/^\s*["[{]/.test(value)) throw wrong(`bad --set ${text}: the value is no JSON: ${messageOf(error)}`);
    return [text.slice(0, at), value];
  }
}

function readQuestion(words: readonly string[]): ReplayArguments['explain'] {
  const [verb, type, name, ...more] = words;
  if (verb === undefined) return undefined;
  if (verb === 'explain' && type === 'node' && name === undefined) return 'node';
  if (verb === 'explain' && type === 'pod' && name !== undefined && more.length === 0) {
    return { pod: name.includes('/') ? name : `default/${name}` };
  }
  throw wrong(
    `after the file comes "explain pod NAMESPACE/NAME" or "explain node", not ${JSON.stringify(words.join(' '))}`,
  );
}

const wrong = (message: string): KubeletError => new KubeletError(message, { code: 'invalid-argument' });
