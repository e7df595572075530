import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileBody } from './file-body.js';

const size = 1024 * 1024;

describe('the body of a file', () => {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'file-body-'));
    await writeFile(path.join(root, 'big.log'), Buffer.alloc(size, 'x'));
  });
  afterAll(() => rm(root, { recursive: true }));

  it('is whole, and lets the file go', async () => {
    const handle = await open(path.join(root, 'big.log'));
    const body = fileBody(handle, [{ start: 0, length: size }]);
    const closed = once(body, 'close');
    let bytes = 0;
    for await (const chunk of body) bytes += (chunk as Buffer).length;
    await closed;
    expect([bytes, handle.fd]).toEqual([size, -1]);
  });

  it('lets the file go when its reader has gone', async () => {
    const handle = await open(path.join(root, 'big.log'));
    const body = fileBody(handle, [{ start: 0, length: size }]);
    await once(body, 'readable');
    body.destroy();
    await once(body, 'close');
    expect(handle.fd).toBe(-1);
  });
});
