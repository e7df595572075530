import type { ReadStream, WriteStream } from 'node:tty';

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The terminal that a user sits at. */
export interface Terminal {
  /** In raw mode every key goes to the container, Ctrl-C too. */
  setRaw(raw: boolean): void;
  /** Undefined when the output is no terminal. */
  size(): TerminalSize | undefined;
  /** Returns unsubscribe. */
  onResize(listener: () => void): () => void;
}

/** The terminal of this process; undefined when stdin is not one. */
export function processTerminal({
  stdin,
  stdout,
}: {
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
}): Terminal | undefined {
  if (!stdin.isTTY) return undefined;
  return {
    setRaw: (raw) => stdin.setRawMode(raw),
    size: () => (stdout.isTTY ? { columns: stdout.columns, rows: stdout.rows } : undefined),
    onResize: (listener) => {
      stdout.on('resize', listener);
      return () => stdout.off('resize', listener);
    },
  };
}

/** Runs `task` in raw mode and restores the terminal however the task ends. */
export async function withRawTerminal<T>(terminal: Terminal | undefined, task: () => Promise<T>): Promise<T> {
  if (terminal === undefined) return task();
  terminal.setRaw(true);
  try {
    return await task();
  } finally {
    terminal.setRaw(false);
  }
}
