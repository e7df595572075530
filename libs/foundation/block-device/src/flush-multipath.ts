import { KubeletError } from '@podwright/errors';
import { runProgram, type RunProgram, runTool } from '@podwright/program';

/** Removes a multipath device such as `/dev/dm-0`; rejects when it is in use. */
export async function flushMultipath(
  device: string,
  run: RunProgram = runProgram,
  signal?: AbortSignal,
): Promise<void> {
  const { problem, output } = await runTool(run, 'multipath', ['-f', device], signal);
  if (problem === undefined) return;
  const message = `failed to flush multipath device ${device}: ${problem}\n${output}`;
  throw new KubeletError(message, { code: 'unavailable' });
}
