import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { accessPage } from './access-page.js';

const file = path.resolve(__dirname, '../../../../../../docs/who-may-call-what.md');

describe('docs/who-may-call-what.md', () => {
  it('is made from the table that the simulation checks', async () => {
    if (process.env['WRITE_DOCS'] === '1') await writeFile(file, accessPage());
    expect(await readFile(file, 'utf8')).toBe(accessPage());
  });
});
