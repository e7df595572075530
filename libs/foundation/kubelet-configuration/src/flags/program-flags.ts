import type { PartialKubeletConfiguration } from '../kubelet-configuration.js';
import { configFlags } from './config-flags.js';
import type { FlagDefinition } from './flag-definition.js';
import { text } from './flag-kinds.js';
import { cadvisorFlags, kubeletFlags } from './kubelet-flags.js';

/** A flag that only one program has. Its value is a text. */
export interface OwnFlag {
  /** The flag's name without the dashes. */
  readonly name: string;
  /** Absent: the program decides, and does not find the flag among those that were parsed. */
  readonly default?: string;
  readonly help: string;
}

/** How the flags and defaults of a program differ from the kubelet's. */
export interface ProgramFlags {
  /** The program's name in the usage. */
  readonly program: string;
  readonly ownFlags?: readonly OwnFlag[];
  /** Names of the kubelet's flags that it lacks. */
  readonly withoutFlags?: readonly string[];
  /** Defaults of the kubelet's flags that set no field, by name, where they differ. */
  readonly flagDefaults?: Readonly<Record<string, unknown>>;
  /**
   * Defaults of fields, over those of v1beta1, with and without `--config`. Absent, as for the kubelet: those of v1beta1
   * with `--config`, and upstream's older, less secure ones without.
   */
  readonly configurationDefaults?: PartialKubeletConfiguration;
}

export const kubeletProgramFlags: ProgramFlags = { program: 'kubelet' };

/** The flags of a program, sorted by name. */
export function flagsOf({
  ownFlags = [],
  withoutFlags = [],
  flagDefaults = {},
}: Omit<ProgramFlags, 'program'>): readonly FlagDefinition[] {
  const own = ownFlags.map((flag) => ({ default: undefined, ...flag, kind: text }));
  return [...own, ...kubeletFlags, ...configFlags, ...cadvisorFlags]
    .filter(({ name }) => !withoutFlags.includes(name))
    .map((flag) => (Object.hasOwn(flagDefaults, flag.name) ? { ...flag, default: flagDefaults[flag.name] } : flag))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** All flags of the kubelet, sorted by name. */
export const allFlags: readonly FlagDefinition[] = flagsOf(kubeletProgramFlags);
