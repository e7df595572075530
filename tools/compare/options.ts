import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { missingProgram } from '@podwright/test-apiserver/real';

export interface CompareOptions {
  /** The kubelet to look at; undefined: the one built from the sources. */
  readonly kubelet: string | undefined;
  /** The kubelet to compare with, which has upstream's flags alone. */
  readonly against: string;
  /** Folder with the programs of an API server. */
  readonly assets: string;
  /** Paths of the scenarios. */
  readonly scenarios: readonly string[];
  /** Folder for the timelines and the kubelets' logs. */
  readonly out: string | undefined;
  /** Name of the lab. */
  readonly name: string;
}

/** Parses and checks the options. Throws with a sentence for the user when one is wrong. */
export function parseOptions(args: readonly string[], env = process.env): CompareOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kubelet: { type: 'string' },
      against: { type: 'string' },
      out: { type: 'string' },
      name: { type: 'string', default: 'compare' },
    },
  });
  const { kubelet, against, out, name } = values;
  if (against === undefined) throw new Error('--against: name the kubelet to compare with');
  if (positionals.length === 0)
    throw new Error('name at least one scenario; those that exist are in tools/compare/scenarios');
  const scenario = positionals.find((file) => !existsSync(file));
  if (scenario !== undefined) throw new Error(`there is no scenario ${scenario}`);
  const assets = env['KUBEBUILDER_ASSETS'] ?? '';
  const missing = missingProgram(assets, (program) => existsSync(path.join(assets, program)));
  if (missing !== undefined) throw new Error(missing);
  return {
    kubelet: kubelet === undefined ? undefined : programFile('--kubelet', kubelet),
    against: programFile('--against', against),
    ...{ out, name, scenarios: positionals, assets },
  };
}

/** The absolute path of a program that can be run. */
function programFile(option: string, file: string): string {
  try {
    accessSync(file, constants.X_OK);
  } catch (error) {
    throw new Error(`${option}: ${file} is no program that can be run`, { cause: error });
  }
  return path.resolve(file);
}
