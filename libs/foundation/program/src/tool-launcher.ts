import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { constants } from 'node:os';
import { onAbort } from '@podwright/time';
import { problemInWords, runProgram, type ProgramEnd, type RunProgram } from './run-program.js';
import { runTool, type ToolRun } from './run-tool.js';

/** Runs a tool as {@link runTool} does, without helpers that outlive it, and keeps its first 3,000 bytes of output. */
export type LaunchTool = (file: string, args: readonly string[], signal?: AbortSignal) => Promise<ToolRun>;

// A request is a line: an id, the tool, its arguments, quoted. Each answer is one write, so answers do not mix. The id
// of the process is told before it becomes the tool, which leads a process group of its own where setsid(1) is. The shell
// drops line ends at the end of what a tool has written; tools write whole lines.
const script = `exec 3>&1
group=setsid
command -v setsid >/dev/null || group=
while IFS= read -r request; do
  eval "set -- $request"
  (
    id=$1
    shift
    out=$(read -r pid rest </proc/self/stat; echo "$id started $pid" >&3; exec $group "$@" 2>&1 3>&- </dev/null)
    code=$?
    if [ \${#out} -gt 3000 ]; then out=$(printf %.3000s "$out"); fi
    if [ -n "$out" ]; then out="$out
"; fi
    printf '%s ended %s %s\\n%s' "$id" "$code" "\${#out}" "$out" >&3
  ) &
done`;

const signalOffset = 128;
const notFound = 127;

interface Launched {
  /** Undefined until the shell has started it. */
  pid: number | undefined;
  /** Without an end: the shell ended before it started the tool. */
  readonly settle: (end: ProgramEnd | undefined, output: string) => void;
}

/** One shell and the tools that it runs. */
class LaunchShell {
  /** False once it takes no further request. */
  takesRequests = true;
  /** True: the node has no shell. */
  isMissing = false;
  private readonly shell: ChildProcessByStdio<Writable, Readable, null>;
  private readonly launched = new Map<string, Launched>();
  private launches = 0;
  private received = Buffer.alloc(0);

  constructor() {
    const env = { ...process.env, LC_ALL: 'C' };
    const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
    const shell = spawn('/bin/sh', ['-c', script, 'tool-launcher'], { env, stdio, detached: true, cwd: '/' });
    this.shell = shell;
    shell.unref();
    (shell.stdin as Socket).unref();
    shell.stdin.on('error', () => undefined); // `close` tells what became of the request
    shell.stdout.on('data', (chunk: Buffer) => this.hear(chunk));
    shell.once('error', () => {
      this.isMissing = true;
      this.end();
    });
    shell.once('exit', () => (this.takesRequests = false));
    // Tools that it had started have answered by then.
    shell.once('close', () => this.end());
  }

  /** Resolves with undefined when the shell ended before it started the tool. */
  run(words: readonly string[], signal: AbortSignal | undefined): Promise<ToolRun | undefined> {
    const id = `${++this.launches}`;
    const [file = ''] = words;
    return new Promise((resolve, reject) => {
      const done = (): void => {
        unsubscribe();
        this.launched.delete(id);
        if (this.launched.size === 0) (this.shell.stdout as Socket).unref();
      };
      const unsubscribe = onAbort(signal, () => {
        killGroup(this.launched.get(id)?.pid);
        done();
        reject(signal?.reason as Error);
      });
      const settle: Launched['settle'] = (end, output) => {
        done();
        resolve(end && { end, problem: problemInWords(end, file), output });
      };
      this.launched.set(id, { pid: undefined, settle });
      (this.shell.stdout as Socket).ref();
      this.shell.stdin.write(`${[id, ...words].map(quoted).join(' ')}\n`);
    });
  }

  private end(): void {
    this.takesRequests = false;
    for (const { pid, settle } of [...this.launched.values()])
      settle(pid === undefined ? undefined : { how: 'killed', signal: 'SIGKILL' }, '');
  }

  private hear(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    for (;;) {
      const lineEnd = this.received.indexOf('\n');
      if (lineEnd < 0) return;
      const [id = '', what, number = '', size = '0'] = this.received.toString('utf8', 0, lineEnd).split(' ');
      const launched = this.launched.get(id);
      const bytes = Number(size);
      const start = lineEnd + 1;
      if (this.received.length < start + bytes) return;
      const output = this.received.toString('utf8', start, start + bytes);
      this.received = this.received.subarray(start + bytes);
      if (what === 'ended') launched?.settle(endOf(Number(number)), output);
      else if (launched !== undefined) launched.pid = Number(number);
    }
  }
}

let shell: LaunchShell | undefined;

/**
 * Starts a tool through a small process: a large one should not fork, as the kernel copies its page tables, and Node.js
 * waits meanwhile, some ten milliseconds with 150 MiB on a busy node. The small one is a shell; the first call starts it,
 * and it ends with this process. Where there is no shell, each tool is started directly.
 */
export const launchTool: LaunchTool = async (file, args, signal) => {
  signal?.throwIfAborted();
  const words = [file, ...args];
  // They would end the request.
  const isPlain = !words.some((word) => /[\n\0]/.test(word));
  if (isPlain && shell?.isMissing !== true) {
    if (shell?.takesRequests !== true) shell = new LaunchShell();
    const run = await shell.run(words, signal);
    if (run !== undefined) return run;
  }
  return runTool(runProgram, file, args, signal);
};

/** {@link launchTool}; tools start by `run` where it is given, as a test does. */
export const toolLauncher = (run: RunProgram | undefined): LaunchTool =>
  run === undefined ? launchTool : (file, args, signal) => runTool(run, file, args, signal);

function endOf(code: number): ProgramEnd {
  if (code === notFound) return { how: 'not-started', error: Object.assign(new Error('ENOENT'), { code: 'ENOENT' }) };
  if (code <= signalOffset) return { how: 'exited', code };
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - signalOffset)?.[0];
  return { how: 'killed', signal: (signal as NodeJS.Signals | undefined) ?? null };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  // Before it leads a group, and when it has ended.
  for (const id of [-pid, pid]) {
    try {
      process.kill(id, 'SIGKILL');
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
    }
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
