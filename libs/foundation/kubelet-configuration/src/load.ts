import { KubeletError } from '@podwright/errors';
import { isAbsolute, join } from 'node:path';
import { completeConfiguration, completeConfigurationFile } from './config-file.js';
import type { ConfigurationFiles } from './configuration-files.js';
import { nodeConfigurationFiles, readFault } from './configuration-files.js';
import { failure } from './decode.js';
import { legacyKubeletConfiguration } from './defaults.js';
import { mergeDropIns } from './drop-ins.js';
import { FeatureGates } from './feature-gates/feature-gates.js';
import { applyFlags } from './flags/apply-flags.js';
import { helpText } from './flags/help.js';
import type { KubeletFlags } from './flags/kubelet-flags.js';
import type { ParsedFlags, ParseOptions } from './flags/parse-flags.js';
import { parseKubeletFlags } from './flags/parse-flags.js';
import { kubeletProgramFlags, type ProgramFlags } from './flags/program-flags.js';
import type { KubeletConfiguration } from './kubelet-configuration.js';
import { validateNodeLabels, validateStartup } from './validation/startup.js';
import { validateKubeletConfiguration, validateLogging } from './validation/validate.js';

export interface LoadOptions extends ParseOptions {
  /** The command line without the program's name. */
  readonly argv: readonly string[];
  /** The working directory, from which relative paths in flags are resolved. */
  readonly cwd: string;
  /** Default: the real file system. */
  readonly files?: ConfigurationFiles;
  /** Which flags there are, and their defaults. Default: those of the kubelet. */
  readonly program?: ProgramFlags;
  /** The host's cgroup version. Absent: the checks that need it are skipped. */
  readonly cgroupVersion?: 1 | 2;
}

/** The validated settings of a kubelet. */
export interface LoadedKubelet {
  readonly flags: KubeletFlags;
  /** The values of the program's own flags, by name. */
  readonly ownFlags: Readonly<Record<string, string>>;
  readonly configuration: KubeletConfiguration;
  /** The configuration of the command line alone, for `/flagz`. */
  readonly commandLine: KubeletConfiguration;
  readonly featureGates: FeatureGates;
  /**
   * Warnings about deprecated flags, unless `onDeprecated` got them, about ignored fields and drop-in files, and about
   * gates that will be removed; log them once logging is set up.
   */
  readonly warnings: readonly string[];
  /** Every flag that was set, for the log. */
  readonly setFlags: readonly string[];
}

/** The command line asks for the help text or the version: `raw` for all details of it. */
export interface KubeletAnswer {
  readonly answer: { readonly help: string } | { readonly version: string; readonly raw: boolean };
}

/**
 * Loads the kubelet's configuration from the command line, `--config` and `--config-dir`, and validates it. A flag wins
 * over a drop-in, a drop-in over the file, and the file over the default.
 * Source: kubernetes v1.36 cmd/kubelet/app/server.go NewKubeletCommand.
 * @throws KubeletError `invalid-argument` that names the flag, or the file, field and value, or lists all faults of the
 * validation.
 */
export async function loadKubeletConfiguration(options: LoadOptions): Promise<LoadedKubelet | KubeletAnswer> {
  const { program = kubeletProgramFlags } = options;
  const parsed = parseKubeletFlags(options.argv, program, options);
  if (parsed.help) return { answer: { help: helpText(program, configurationWithoutFile(program)) } };
  const { print, reported } = parsed.flags.version;
  if (print !== 'no') return { answer: { version: reported, raw: print === 'raw' } };
  const flagGates = setGates(FeatureGates.defaults(), gatesOf(parsed));
  const files = options.files ?? nodeConfigurationFiles;
  const { flags } = parsed;
  refuse(validateNodeLabels(flags.nodeLabels), 'failed to validate kubelet flags: ');
  const commandLine = applyFlags(configurationWithoutFile(program), parsed.fields);
  let configuration = commandLine;
  const warnings = [...parsed.warnings];
  if (flags.config !== '') {
    const path = isAbsolute(flags.config) ? flags.config : join(options.cwd, flags.config);
    const loaded = completeConfigurationFile(await readConfig(path, files), path, {
      gates: flagGates,
      defaults: program.configurationDefaults,
    });
    configuration = loaded.configuration;
    warnings.push(...loaded.warnings);
  }
  if (flags.configDir !== '') {
    const folder = isAbsolute(flags.configDir) ? flags.configDir : join(options.cwd, flags.configDir);
    const merged = await mergeDropIns(configuration, folder, files, flagGates);
    configuration = merged.configuration;
    warnings.push(...merged.skipped.map((file) => `${file} is not read: only files *.conf of --config-dir are`));
  }
  if (flags.config !== '' || flags.configDir !== '') configuration = applyFlags(configuration, parsed.fields);
  const featureGates = setGates(flagGates, configuration.featureGates);
  refuse(validateLogging(configuration, featureGates), 'initialize logging: ');
  const cgroup = options.cgroupVersion === undefined ? {} : { cgroupVersion: options.cgroupVersion };
  const faults = validateKubeletConfiguration(configuration, { gates: flagGates, ...cgroup });
  refuse(faults, 'failed to validate kubelet configuration, error: ', ', path: &TypeMeta{Kind:,APIVersion:,}');
  refuse(validateStartup(flags, configuration, options.cgroupVersion).slice(0, 1), 'failed to run Kubelet: ');
  return {
    flags,
    ownFlags: parsed.ownFlags,
    configuration,
    commandLine,
    featureGates,
    warnings: [...warnings, ...featureGates.warnings],
    setFlags: parsed.set,
  };
}

/** As upstream, the gates of the command line do not count here: its flags are read after the defaults are set. */
function configurationWithoutFile({ configurationDefaults }: ProgramFlags): KubeletConfiguration {
  if (configurationDefaults === undefined) return legacyKubeletConfiguration();
  return completeConfiguration({}, { gates: FeatureGates.defaults(), defaults: configurationDefaults });
}

function gatesOf(parsed: ParsedFlags): Readonly<Record<string, boolean>> {
  return (parsed.fields.get('featureGates') ?? {}) as Readonly<Record<string, boolean>>;
}

async function readConfig(path: string, files: ConfigurationFiles): Promise<Uint8Array | string> {
  try {
    return await files.readFile(path);
  } catch (error) {
    throw failure(
      path,
      `failed to read kubelet config file ${JSON.stringify(path)}, error: ${readFault(path, error)}`,
      error,
    );
  }
}

/** Upstream names both sources of gates the same. */
function setGates(gates: FeatureGates, map: Readonly<Record<string, boolean>>): FeatureGates {
  const prefix = 'failed to set feature gates from initial flags-based config: ';
  refuse(FeatureGates.faultsOf(map), prefix);
  const set = gates.withMap(map);
  refuse(set.validate(), prefix);
  return set;
}

/** Throws when there are faults. Several are in brackets, and equal ones are one, as in Go's aggregate error. */
function refuse(all: readonly string[], prefix: string, suffix = ''): void {
  if (all.length === 0) return;
  const faults = [...new Set(all)];
  const text = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
  throw new KubeletError(`${prefix}${text ?? ''}${suffix}`, { code: 'invalid-argument' });
}
