import { defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface IptablesConfig {
  /** Time between two looks whether another program has flushed the rules, in milliseconds. */
  readonly canaryPeriodMs: number;
}

export const iptablesConfig = defineConfig<IptablesConfig>({ canaryPeriodMs: durationMsField(60_000, { min: 1 }) });
