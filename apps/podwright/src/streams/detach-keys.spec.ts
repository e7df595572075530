import { describe, expect, it } from '@jest/globals';
import { DetachKeys, detachSequence } from './detach-keys.js';

function typed(...pieces: readonly string[]): { readonly sent: string; readonly detached: boolean } {
  const keys = new DetachKeys(detachSequence('ctrl-p,ctrl-q'));
  let sent = '';
  for (const piece of pieces) {
    const read = keys.read(Buffer.from(piece));
    sent += Buffer.from(read.send).toString();
    if (read.detached) return { sent, detached: true };
  }
  return { sent, detached: false };
}

describe('DetachKeys', () => {
  it('detaches at the sequence, also in two pieces', () => {
    expect(typed('ab\u0010\u0011')).toEqual({ sent: 'ab', detached: true });
    expect(typed('ab\u0010', '\u0011c')).toEqual({ sent: 'ab', detached: true });
  });

  it('sends keys that only begin it', () => {
    expect(typed('\u0010x', '\u0010\u0010\u0011')).toEqual({ sent: '\u0010x\u0010', detached: true });
    expect(typed('\u0011\u0010')).toEqual({ sent: '\u0011', detached: false });
  });

  it('reads letters and control keys', () => {
    expect(detachSequence('ctrl-a,b,ctrl-]')).toEqual([1, 98, 29]);
    expect(() => detachSequence('ctrl-1')).toThrow("Unknown character: 'ctrl-1'");
  });
});
