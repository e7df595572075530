import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { messageOf } from '@podwright/errors';
import { ApiError } from '../client/api-error.js';
import { CommandError, usageError } from '../command-error.js';
import { defineCommand, extraWords } from './command.js';
import { durationOf } from './shared-flags.js';

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
    yargs.option('for', { type: 'string', describe: 'How long to record from now on, such as 60s or 5m' }),
  async run(args, { client, io }) {
    const [file, ...rest] = extraWords(args);
    if (file === undefined || rest.length > 0) throw usageError('record', 'record takes one file to write');
    const seconds = args.for === undefined ? undefined : secondsOf(args.for);
    const response = await client
      .open('GET', '/recording', { ...(seconds !== undefined && { query: { seconds } }) })
      .catch((error: unknown) => {
        throw refusal(error);
      });
    const partial = `${file}.partial`;
    const output = createWriteStream(partial, { mode: fileMode });
    let bytes = 0;
    try {
      await once(output, 'open');
      for await (const chunk of response as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (!output.write(chunk)) await once(output, 'drain');
      }
    } catch (error) {
      // What has come until Ctrl-C is a recording, which ends there.
      const isWhole = io.signal.aborted && seconds !== undefined && bytes > 0;
      if (!isWhole) {
        output.destroy();
        await rm(partial, { force: true });
        throw error instanceof CommandError || io.signal.aborted
          ? error
          : new CommandError(`${file} was not written: ${messageOf(error)}`);
      }
    }
    await closed(output);
    await rename(partial, file);
    await io.out(`${file}: ${bytes} bytes; see what led to what with: kubelet replay ${file} --all\n`);
  },
});

async function closed(output: WriteStream): Promise<void> {
  output.end();
  await once(output, 'close');
}

function secondsOf(text: string): number {
  const seconds = durationOf('for', text) / 1_000;
  if (Number.isInteger(seconds) && seconds >= 1) return seconds;
  throw new CommandError(`bad --for ${JSON.stringify(text)}: it takes whole seconds, at least 1s`);
}

function refusal(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.status.code === 404)
    return new CommandError('this kubelet has no flight recorder: start it with --flight-recorder=on-demand');
  if (error.status.code === 409) return new CommandError(`${error.message.trim()}: --for=60s`);
  return error;
}
