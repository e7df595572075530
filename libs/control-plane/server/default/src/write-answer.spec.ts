import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { writeAnswer } from './write-answer.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('writeAnswer', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** Answers the one request with the body; resolves with what the client gets. */
  const ask = async (
    body: string | AsyncIterable<Uint8Array>,
    written: (end: Promise<void>) => void,
    status = 200,
  ): Promise<IncomingMessage> => {
    server = createServer((_, response) => written(writeAnswer(response, { status, headers: {}, body })));
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => get({ port, host: '127.0.0.1' }, resolve).once('error', reject));
  };

  it('holds no piece any more that is written, however long the answer goes on', async () => {
    const first: WeakRef<Uint8Array>[] = [];
    let allGiven: () => void = () => undefined;
    const given = new Promise<void>((resolve) => (allGiven = resolve));
    async function* body(): AsyncGenerator<Uint8Array> {
      for (let count = 0; count < 100; count++) {
        const piece = new Uint8Array(1_000);
        if (count < 50) first.push(new WeakRef(piece));
        yield piece;
      }
      allGiven();
      await new Promise(() => undefined);
    }
    let end: Promise<void> | undefined;
    const response = await ask(body(), (ended) => (end = ended));
    response.resume();
    await given;
    await new Promise(setImmediate);
    collectGarbage();
    expect(first.filter((piece) => piece.deref() !== undefined)).toEqual([]);
    response.destroy();
    await end;
  });

  it.each([
    [200, 'OK'],
    [413, 'Request Entity Too Large'],
    [416, 'Requested Range Not Satisfiable'],
    [422, 'Unprocessable Entity'],
  ])('says %i as Go does: %s', async (status, words) => {
    let end: Promise<void> | undefined;
    const response = await ask('text', (ended) => (end = ended), status);
    expect(response.statusMessage).toBe(words);
    response.resume();
    await end;
  });

  it('sends the head with an empty piece', async () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array();
      await new Promise(() => undefined);
    }
    let end: Promise<void> | undefined;
    const response = await ask(body(), (ended) => (end = ended));
    expect(response.statusCode).toBe(200);
    response.destroy();
    await end;
  });

  it('ends when the client goes, also while a piece is waited for', async () => {
    let left = false;
    const never: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => {
        let begun = false;
        return {
          next: () => {
            if (begun) return new Promise(() => undefined);
            begun = true;
            return Promise.resolve({ done: false, value: new Uint8Array(1) });
          },
          return: () => {
            left = true;
            return Promise.resolve({ done: true, value: undefined });
          },
        };
      },
    };
    let end: Promise<void> | undefined;
    const response = await ask(never, (ended) => (end = ended));
    response.destroy();
    await end;
    expect(left).toBe(true);
  });
});
