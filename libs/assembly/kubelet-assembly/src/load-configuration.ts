import {
  loadKubeletConfiguration,
  type FeatureGates,
  type KubeletConfiguration,
  type KubeletFlags,
  type ParseOptions,
  type ProgramFlags,
} from '@podwright/kubelet-configuration';
import { partlyHonouredFields, pointlessFields } from './effective-fields.js';
import { cgroupVersion } from './node-facts.js';

/** Result of the command line and the configuration files. */
export interface LoadedConfiguration {
  readonly flags: KubeletFlags;
  /** The values of the program's own flags, by name. */
  readonly ownFlags: Readonly<Record<string, string>>;
  readonly configuration: KubeletConfiguration;
  /** What the flags alone make of the configuration. */
  readonly commandLine: KubeletConfiguration;
  readonly featureGates: FeatureGates;
  /** Warnings to log later: deprecated flags, unknown fields, fields without effect. */
  readonly warnings: readonly string[];
}

export interface ConfigurationChoices extends ParseOptions {
  /**
   * Accepts a configuration that only fails on this machine, such as on its cgroup version; for commands that start
   * nothing.
   */
  readonly anyMachine?: boolean;
}

/**
 * Loads the configuration. An `answer` is a text to print instead of running. Rejects with a sentence that names the
 * flag, or the file, field and value.
 */
export async function loadConfiguration(
  argv: readonly string[],
  program: ProgramFlags,
  { anyMachine = false, ...parsing }: ConfigurationChoices = {},
): Promise<LoadedConfiguration | { readonly answer: string }> {
  const loaded = await loadKubeletConfiguration({
    argv,
    cwd: process.cwd(),
    program,
    ...parsing,
    ...(!anyMachine && { cgroupVersion: await cgroupVersion() }),
  });
  if ('answer' in loaded) return { answer: 'help' in loaded.answer ? loaded.answer.help : versionText(loaded.answer) };
  const { flags, ownFlags, configuration, commandLine, featureGates, warnings } = loaded;
  return {
    flags,
    ownFlags,
    configuration,
    commandLine,
    featureGates,
    warnings: [
      ...warnings,
      ...Object.entries(partlyHonouredFields(configuration)).map(
        ([field, part]) => `KubeletConfiguration field ${field} has a part of its effect: ${part}`,
      ),
      ...Object.entries(pointlessFields(configuration)).map(
        ([field, reason]) => `KubeletConfiguration field ${field} has no effect: ${reason}`,
      ),
    ],
  };
}

// All details are in the form in which Go prints a structure.
function versionText({ version, raw }: { readonly version: string; readonly raw: boolean }): string {
  if (!raw) return `Kubernetes ${version}\n`;
  const [major = '', minor = ''] = version.slice(1).split('.');
  const details = {
    Major: major,
    Minor: minor,
    GitVersion: version,
    NodeVersion: process.version,
    Platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
  const fields = Object.entries(details).map(([name, value]) => `${name}:${JSON.stringify(value)}`);
  return `version.Info{${fields.join(', ')}}\n`;
}
