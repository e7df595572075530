import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { configurationGates } from './configuration-gates.js';

describe('configurationGates', () => {
  it('are the gates that the sources of this package ask for', () => {
    const src = path.resolve(__dirname, '..');
    const files = readdirSync(src, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
    const asked = files.flatMap((file) =>
      [...readFileSync(path.join(src, file), 'utf8').matchAll(/\benabled\('(\w+)'\)/g)].map(([, gate]) => gate),
    );
    expect([...new Set(asked)].sort()).toEqual([...configurationGates]);
  });
});
