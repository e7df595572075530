import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
// BRIDGE until @podwright/kubelet-configuration is there.
export type Configuration = Record<string, unknown>;
export interface Flags { readonly hostnameOverride: string; readonly nodeIp: string; readonly assembly: string; readonly rootDir: string; }
export interface LoadedConfiguration {
  readonly flags: Flags;
  readonly configuration: Configuration;
  readonly logging: { readonly format: 'text' | 'json'; readonly verbosity: number };
  readonly warnings: readonly string[];
  readonly answer?: string;
}
export async function loadConfiguration(argv: readonly string[]): Promise<LoadedConfiguration> {
  const { values } = parseArgs({ args: [...argv], options: { config: { type: 'string' }, 'root-dir': { type: 'string' }, assembly: { type: 'string' }, 'node-ip': { type: 'string' }, 'hostname-override': { type: 'string' }, v: { type: 'string', short: 'v' } } });
  const configuration = values.config === undefined ? {} : (JSON.parse(await readFile(values.config, 'utf8')) as Configuration);
  return {
    flags: { hostnameOverride: values['hostname-override'] ?? '', nodeIp: values['node-ip'] ?? '', assembly: values.assembly ?? '', rootDir: values['root-dir'] ?? '/var/lib/kubelet' },
    configuration,
    logging: { format: 'text', verbosity: Number(values.v ?? 0) },
    warnings: [],
  };
}
