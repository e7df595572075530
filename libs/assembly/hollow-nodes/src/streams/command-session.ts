import type { Socket } from 'node:net';
import type { ExecOutcome, StreamRequest } from '@podwright/simulated-runtime';
import { onAbort } from '@podwright/time';
import { SpdySession } from './spdy-session.js';

const shells = ['sh', 'bash', 'ash'];
const prompt = '# ';
const success = '{"metadata":{},"status":"Success"}';

/** Serves one exec or attach session on a connection that speaks SPDY. */
export function serveCommand(socket: Socket, asked: Exclude<StreamRequest, { kind: 'portforward' }>): void {
  const { stdin = false, stdout = false, stderr = false, tty = false } = asked.request;
  const command = asked.kind === 'exec' ? (asked.request.cmd ?? []) : [];
  const names = [
    'error',
    ...(stdin ? ['stdin'] : []),
    ...(stdout ? ['stdout'] : []),
    ...(stderr && !tty ? ['stderr'] : []),
    ...(tty ? ['resize'] : []),
  ];
  const run = (words: readonly string[]): ExecOutcome => asked.container.program.exec?.(words) ?? {};
  const print = (stream: 'stdout' | 'stderr', text = ''): void =>
    session.write(stream === 'stderr' && tty ? 'stdout' : stream, tty ? text.replaceAll('\n', '\r\n') : text);
  const end = ({ stdout: out, stderr: err, exitCode = 0 }: ExecOutcome): void => {
    print('stdout', out);
    print('stderr', err);
    session.write('error', exitCode === 0 ? success : failure(exitCode));
    session.end();
  };
  const shell =
    asked.kind === 'exec' && stdin && shells.includes(command[0]?.split('/').at(-1) ?? '') && command.length === 1;
  let typed = '';
  // As in a shell, that of the last command is the shell's own.
  let lastCode = 0;
  const session = new SpdySession(socket, names, {
    ready: () => {
      if (asked.kind === 'attach') print('stdout', asked.container.program.output?.map((line) => `${line}\n`).join(''));
      else if (shell) print('stdout', tty ? prompt : '');
      else end(run(inShell(command)));
    },
    data: (stream, bytes) => {
      if (stream !== 'stdin' || !shell) return;
      // A terminal shows what is typed.
      if (tty) session.write('stdout', bytes.toString().replaceAll('\r', '\r\n'));
      typed += bytes.toString();
      for (let line = takeLine(); line !== undefined; line = takeLine()) {
        const words = line.split(/\s+/).filter((word) => word !== '');
        if (words[0] === 'exit') return end({ exitCode: exitCodeOf(words[1]) });
        if (words.length > 0) {
          const { stdout: out, exitCode = 0 } = run(words);
          print('stdout', out);
          lastCode = exitCode;
        }
        print('stdout', tty ? prompt : '');
      }
    },
    finished: (stream) => {
      if (stream === 'stdin' && shell) end({ exitCode: lastCode });
    },
  });
  socket.once(
    'close',
    onAbort(asked.container.ended, () => end({ exitCode: 137 })),
  );

  function exitCodeOf(word: string | undefined): number {
    if (word === undefined) return lastCode;
    // What shells say of a word that is no number.
    return /^\d+$/.test(word) ? Number(word) % 256 : 2;
  }

  function takeLine(): string | undefined {
    const at = typed.search(/[\r\n]/);
    if (at < 0) return undefined;
    const line = typed.slice(0, at);
    typed = typed.slice(at + 1);
    return line;
  }
}

/** The words of `sh -c WORDS`, else the command itself. */
function inShell(command: readonly string[]): readonly string[] {
  const [name = '', option, script] = command;
  const isScript = shells.includes(name.split('/').at(-1) ?? '') && option === '-c' && script !== undefined;
  return isScript ? script.split(/\s+/).filter((word) => word !== '') : command;
}

const failure = (exitCode: number): string =>
  JSON.stringify({
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit code ${exitCode}`,
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  });
