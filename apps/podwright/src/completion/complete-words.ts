import { ApiClient } from '../client/api-client.js';
import { serverAddress } from '../client/server-address.js';
import type { CommandIo } from '../command-io.js';
import { completeNames } from './complete-names.js';
import { completeOptions } from './complete-options.js';

// A shell must not hang when the server does.
const timeoutMs = 2_000;

/** Prints what the last of the words may become, one a line. The words are those after the name of this command. */
export async function completeWords(words: readonly string[], io: CommandIo): Promise<void> {
  const socket = words[words.indexOf('--socket') + 1];
  const address = await serverAddress(words.includes('--socket') && socket !== undefined ? { socket } : {}, io.env);
  const deadline = io.clock.deadline(timeoutMs, io.signal);
  try {
    const found = completeOptions(words) ?? (await completeNames(words, new ApiClient(address, deadline.signal)));
    const current = words.at(-1) ?? '';
    await io.out(
      found
        .filter((each) => each.startsWith(current))
        .map((each) => `${each}\n`)
        .join(''),
    );
  } finally {
    deadline.dispose();
  }
}
