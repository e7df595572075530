import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { AddressesBesideABridge } from '../fixtures/addresses-beside-a-bridge.js';

const run = promisify(execFile);
const missing = ['/usr/bin/unshare', '/usr/sbin/ip'].filter((program) => !existsSync(program));
const reason = missing.length > 0 ? `not installed: ${missing.join(', ')}` : 'a network namespace needs root';
const able = missing.length === 0 && process.getuid?.() === 0;

(able ? describe : describe.skip)(`a bridge that has lost its ports${able ? '' : ` (skipped: ${reason})`}`, () => {
  it('gives the node its addresses', async () => {
    const workspace = path.resolve(__dirname, '../../../../../..');
    const script = path.join(__dirname, '../fixtures/addresses-beside-a-bridge.ts');
    const bundle = path.join(workspace, 'tools/bootstrap/run.mjs');
    const nodeIps = ['198.51.100.1', '2001:db8::1'];
    const { stdout } = await run('unshare', ['--net', process.execPath, bundle, script, ...nodeIps], {
      cwd: workspace,
      timeout: 60_000,
    });
    const { reported, addresses } = JSON.parse(stdout) as AddressesBesideABridge;
    expect(reported).toEqual([
      { type: 'InternalIP', address: '198.51.100.1' },
      { type: 'InternalIP', address: '2001:db8::1' },
      { type: 'Hostname', address: 'n1' },
    ]);
    expect(addresses).toContainEqual({ interfaceName: 'br0', address: '198.51.100.1', internal: false });
    expect(addresses).toContainEqual({ interfaceName: 'br0', address: '2001:db8::1', internal: false });
  });
});
