import { createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { compressedStream } from './compressed-stream.js';

describe('a compressed stream', () => {
  it('gives each text on before the next one comes', async () => {
    const gate: { open: () => void } = { open: () => undefined };
    const opened = new Promise<void>((resolve) => (gate.open = resolve));
    async function* texts(): AsyncGenerator<string> {
      yield 'first';
      await opened;
      yield ' second';
    }
    const unpacker = createGunzip();
    const pieces: Uint8Array[] = [];
    for await (const piece of compressedStream(texts())) {
      pieces.push(piece);
      unpacker.write(piece);
      const text = await new Promise<string>((resolve) => {
        unpacker.flush(() => resolve(String(unpacker.read() ?? '')));
      });
      if (text === 'first') gate.open();
    }
    expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe('first second');
  });

  it('ends its source when its reader ends', async () => {
    let ended = false;
    async function* texts(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(1000);
      } finally {
        ended = true;
      }
    }
    for await (const piece of compressedStream(texts())) if (piece.length > 0) break;
    await new Promise(setImmediate);
    expect(ended).toBe(true);
  });

  it('fails with its source', async () => {
    async function* texts(): AsyncGenerator<string> {
      yield 'x';
      throw new Error('no more');
    }
    const read = async (): Promise<void> => {
      for await (const piece of compressedStream(texts())) expect(piece).toBeDefined();
    };
    await expect(read()).rejects.toThrow('no more');
  });
});
