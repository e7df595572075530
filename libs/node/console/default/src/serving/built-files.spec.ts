import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { loadBuiltFiles } from './built-files.js';
import { fileAnswer } from './static-files.js';

describe('the built pages', () => {
  it('are an index that names its script and style sheet, which have their hash in their name', async () => {
    const files = await loadBuiltFiles();
    const index = await files.read('index.html');
    const html = brotliDecompressSync(index?.bytes ?? '').toString();
    const assets = [...html.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, name = '']) => name);
    expect(assets.map((name) => name.replace(/[0-9a-f]{10}/, 'HASH'))).toEqual([
      'assets/console-HASH.css',
      'assets/console-HASH.js',
    ]);
    for (const name of assets) {
      const asset = await files.read(name);
      expect(name).toContain(asset?.hash);
      expect(brotliDecompressSync(asset?.bytes ?? '').length).toBeGreaterThan(1000);
    }
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|https?:/);
  });

  it('are packed for a browser, but HTML is not: the node proxy of the API server cannot read it then', async () => {
    const files = await loadBuiltFiles();
    const request = { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } };
    const index = await fileAnswer(files, 'index.html', request);
    const html = Buffer.from(index.body as Uint8Array).toString();
    expect([index.headers, html]).toEqual([
      expect.not.objectContaining({ 'Content-Encoding': expect.anything() }),
      expect.stringContaining('<!doctype html>'),
    ]);
    const [name = ''] = /assets\/[^"]+\.js/.exec(html) ?? [];
    expect((await fileAnswer(files, name, request)).headers).toMatchObject({ 'Content-Encoding': 'br' });
  });

  it('are no others', async () => {
    const files = await loadBuiltFiles();
    expect(await Promise.all(['', 'constructor', '../index.html', 'assets/console.js'].map(files.read))).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });
});
