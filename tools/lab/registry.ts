import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort, startDaemon, waitForListener } from './daemons.js';
import type { LabLayout } from './layout.js';

export interface RegistryOptions {
  readonly layout: LabLayout;
  readonly program: string;
  readonly port?: number;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts an image registry without access control on loopback, and configures containerd for it. */
export async function startRegistry({ layout, program, port, env }: RegistryOptions): Promise<{
  readonly address: string;
  readonly pid: number;
}> {
  const address = `127.0.0.1:${port ?? (await freePort())}`;
  const configFile = path.join(layout.runDir, 'registry.yml');
  const logFile = path.join(layout.runDir, 'registry.log');
  await writeFile(configFile, renderRegistryConfig(address, path.join(layout.dataDir, 'registry')));
  const hosts = `server = "http://${address}"\n[host."http://${address}"]\n  capabilities = ["pull", "resolve", "push"]\n`;
  await mkdir(path.join(layout.hostsDir, address), { recursive: true });
  await writeFile(path.join(layout.hostsDir, address, 'hosts.toml'), hosts);
  const pid = await startDaemon(program, ['serve', configFile], { env, logFile });
  const [host = '', portText = ''] = address.split(':');
  await waitForListener(
    { host, port: Number(portText) },
    { what: 'the registry', logFile, alive: () => Promise.resolve(isAlive(pid)) },
  );
  return { address, pid };
}

export function renderRegistryConfig(address: string, folder: string): string {
  return [
    'version: 0.1',
    'log: { level: warn }',
    'storage:',
    `  filesystem: { rootdirectory: ${JSON.stringify(folder)} }`,
    '  delete: { enabled: true }',
    `http: { addr: ${JSON.stringify(address)} }`,
    '',
  ].join('\n');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
