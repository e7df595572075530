import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { configurationPage } from './configuration-table.js';

const root = path.resolve(__dirname, '../..');

describe('docs/kubelet-configuration.md', () => {
  it('is what tools/reference/main.ts makes', () => {
    expect(readFileSync(path.join(root, 'docs/kubelet-configuration.md'), 'utf8')).toBe(configurationPage());
  });

  it('lists each field once', () => {
    const fields = [...configurationPage().matchAll(/^\| `([^`]+)`/gm)].map(([, field]) => field);
    expect(fields.length).toBeGreaterThan(120);
    expect(new Set(fields).size).toBe(fields.length);
    expect(fields).toContain('authentication.x509.clientCAFile');
  });
});
