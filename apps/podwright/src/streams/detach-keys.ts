import { CommandError } from '../command-error.js';

/** Upstream's sequence. */
export const defaultDetachKeys = 'ctrl-p,ctrl-q';

/** The bytes of `ctrl-p,ctrl-q` or `a,b`. Source: moby/term.ToBytes. */
export function detachSequence(keys: string): readonly number[] {
  return keys.split(',').map((key) => {
    if (key.length === 1) return key.charCodeAt(0);
    const [, letter] = /^ctrl-([a-z@[\\\]^_])$/.exec(key) ?? [];
    if (letter === undefined) throw new CommandError(`could not bind detach keys: Unknown character: '${key}'`);
    return letter.toUpperCase().charCodeAt(0) - 64;
  });
}

/** Finds the detach sequence in what a user types. Keys that only begin it are sent once they turn out not to be it. */
export class DetachKeys {
  private matched = 0;

  constructor(private readonly sequence: readonly number[]) {}

  /** What to send, and whether the user detached. */
  read(input: Uint8Array): { readonly send: Uint8Array; readonly detached: boolean } {
    const send: number[] = [];
    for (const byte of input) {
      if (byte === this.sequence[this.matched]) {
        this.matched += 1;
        if (this.matched === this.sequence.length) return { send: Uint8Array.from(send), detached: true };
        continue;
      }
      send.push(...this.sequence.slice(0, this.matched));
      this.matched = byte === this.sequence[0] ? 1 : 0;
      if (this.matched === 0) send.push(byte);
    }
    return { send: Uint8Array.from(send), detached: false };
  }
}
