import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { messageOf } from '@podwright/errors';
import { ApiError } from '../client/api-error.js';
import { CommandError, usageError } from '../command-error.js';
import { defineCommand, extraWords } from './command.js';
import { durationOf } from './shared-flags.js';

const usualProgram = 'kubelet';

// As in the kubelet's route; here the message can name the flag.
const mostSeconds = 3_600;

// For root only: commands and config maps are in a recording.
const fileMode = 0o600;

/** Upstream has no counterpart. */
export const recordCommand = defineCommand({
  usage: 'record FILE',
  summary: 'Save a flight recording of the kubelet, for kubelet replay FILE',
  examples: [
    ['record last.gz', 'Save what the kubelet keeps: it has --flight-recorder=always'],
    ['record now.gz --for=60s', 'Record from now on for a minute; Ctrl-C ends it earlier'],
  ],
  valueLetters: '',
  flags: (yargs) =>
    yargs.option('for', { type: 'string', describe: 'How long to record from now on, such as 60s or 5m; at most 1h' }),
  async run(args, { client, io }) {
    const [file, ...rest] = extraWords(args);
    if (file === undefined || rest.length > 0) throw usageError('record', 'record takes one file to write');
    const seconds = args.for === undefined ? undefined : secondsOf(args.for);
    // A name of its own: two may write the same file.
    const partial = `${file}.${process.pid}.partial`;
    const output = await open(partial, 'wx', fileMode).catch((error: unknown) => {
      throw notWritten(file, error);
    });
    let bytes = 0;
    let broken: unknown;
    try {
      const query = seconds === undefined ? {} : { seconds };
      const response = await client
        .open('GET', '/recording', { query, accept: 'application/gzip' })
        .catch((error: unknown) => {
          throw refusal(error);
        });
      const brokeOff = (error: unknown): void => {
        // What is kept can be asked for again; what has come of a recording from now on cannot, and may tell of the end.
        if (seconds === undefined || bytes === 0) throw error;
        broken = error;
      };
      for await (const chunk of untilItBreaks(response, brokeOff)) {
        await output.writeFile(chunk);
        bytes += chunk.length;
      }
      await output.close();
      await rename(partial, file);
    } catch (error) {
      await output.close();
      await rm(partial, { force: true });
      const isClear = error instanceof CommandError || error instanceof ApiError || io.signal.aborted;
      throw isClear ? error : notWritten(file, error);
    }
    const replay = `see what led to what with: ${await programIn(file)} replay ${file} --all`;
    if (broken !== undefined && !io.signal.aborted)
      throw new CommandError(`the kubelet broke off (${messageOf(broken)}); ${file} has what came before: ${replay}`);
    await io.out(`${file}: ${bytes} bytes; ${replay}\n`);
  },
});

async function* untilItBreaks(
  response: AsyncIterable<Buffer>,
  brokeOff: (error: unknown) => void,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* response;
  } catch (error) {
    brokeOff(error);
  }
}

/** The program that was recorded, which replays it. Its first line says so. */
async function programIn(file: string): Promise<string> {
  const recording = createReadStream(file).on('error', (error) => text.destroy(error));
  const text = recording.pipe(createGunzip());
  let line = '';
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      line += chunk.toString('utf8');
      if (line.includes('\n')) break;
    }
    const { facts } = JSON.parse(line.split('\n')[0] ?? '') as { readonly facts?: { readonly program?: string } };
    if (/^[\w.-]+$/.test(facts?.program ?? '')) return String(facts?.program);
  } catch {
    // A recording that broke off at once is kept all the same; the replay says what is wrong with it.
  } finally {
    recording.destroy();
  }
  return usualProgram;
}

const notWritten = (file: string, error: unknown): CommandError =>
  new CommandError(`${file} was not written: ${messageOf(error)}`);

function secondsOf(text: string): number {
  const seconds = durationOf('for', text) / 1_000;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= mostSeconds) return seconds;
  throw new CommandError(`bad --for ${JSON.stringify(text)}: it takes whole seconds, at least 1s, at most 1h`);
}

function refusal(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.status.code === 404)
    return new CommandError('this kubelet has no flight recorder: start it with --flight-recorder=on-demand');
  if (error.status.code === 409) return new CommandError(`${error.message.trim()}: --for=60s`);
  return error;
}
