import type { Terminal } from '../streams/terminal.js';
import type { CommandContext } from './command.js';

/** The terminal of a session that asks for one with `-it`; says so when stdin is none. */
export async function terminalFor(
  { io }: CommandContext,
  { stdin, tty, quiet }: { readonly stdin: boolean; readonly tty: boolean; readonly quiet: boolean },
): Promise<Terminal | undefined> {
  if (!stdin || !tty) return undefined;
  if (io.terminal === undefined && !quiet) {
    await io.err('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  }
  return io.terminal;
}
