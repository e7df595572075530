import { run } from '../../workspace/run-node.js';

/** The time of all files of a package: that of the last commit, or SOURCE_DATE_EPOCH. */
export async function readSourceDateEpoch(env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const given = env['SOURCE_DATE_EPOCH'];
  const { code, output } =
    given === undefined ? await run('git', ['log', '-1', '--format=%ct']) : { code: 0, output: given };
  if (code === 0 && /^\d+$/.test(output.trim())) return Number(output);
  const problem =
    given === undefined ? `git cannot say when the last commit was (${output.trim()})` : `it is "${given}"`;
  throw new Error(`SOURCE_DATE_EPOCH must be a number of seconds since 1970: ${problem}`);
}
