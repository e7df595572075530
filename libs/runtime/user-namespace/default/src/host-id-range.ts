import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { RunProgram } from './host-program.js';
import type { IdRange } from './id-range.js';
import { defaultIdRange } from './id-range.js';

const user = 'kubelet';
/** getent's exit code for a name that is not in the database. */
const unknownName = 2;

/**
 * The subordinate ids of the user `kubelet`, or the default range where there is no such user or no `getsubids`.
 * Rejects with `failed-precondition` for ids that are there but unusable. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_pods.go getKubeletMappings.
 */
export async function hostIdRange(run: RunProgram, idsPerPod: number, logger: Logger): Promise<IdRange> {
  if (!(await userExists(run))) return defaultIdRange(idsPerPod);
  const users = await run('getsubids', [user]);
  if (users.exitCode === 'ENOENT') {
    logger.debug(2, 'Could not find executable, default mappings will be used for the user namespaces', {
      executable: 'getsubids',
    });
    return defaultIdRange(idsPerPod);
  }
  if (users.exitCode !== 0) throw unusable(`error retrieving additional ids for user "${user}"`);
  const groups = await run('getsubids', ['-g', user]);
  if (groups.exitCode !== 0) throw unusable(`error retrieving additional gids for user "${user}"`);
  if (users.stdout !== groups.stdout) throw unusable(`mismatched subuids and subgids for user "${user}"`);
  return parseSubIds(users.stdout);
}

async function userExists(run: RunProgram): Promise<boolean> {
  const { exitCode } = await run('getent', ['passwd', user]);
  if (exitCode === 0) return true;
  // Systems without getent have no user directories that could know one.
  if (exitCode === unknownName || exitCode === 'ENOENT') return false;
  throw unusable(`lookup of user "${user}" failed: getent ended with ${exitCode}`);
}

/** `0: kubelet 65536 2147483648`: one line of number, user, first id, count. */
export function parseSubIds(output: string): IdRange {
  const lines = output.replace(/^\n+|\n+$/g, '').split('\n');
  const [line = ''] = lines;
  if (lines.length !== 1) throw unusable(`error parsing line ${JSON.stringify(output)}: it must contain only one line`);
  const words = line.split(/\s+/).filter((word) => word !== '');
  if (words.length !== 4) throw unusable(`invalid line ${JSON.stringify(output)}`);
  const [firstId = 0, length = 0] = words.slice(2).map((word) => parseId(word, output));
  return { firstId, length };
}

function parseId(word: string, output: string): number {
  const problem = (what: string): KubeletError =>
    unusable(
      `error parsing line ${JSON.stringify(output)}: strconv.ParseUint: parsing ${JSON.stringify(word)}: ${what}`,
    );
  if (!/^\d+$/.test(word)) throw problem('invalid syntax');
  const id = Number(word);
  if (id >= 2 ** 32) throw problem('value out of range');
  return id;
}

const unusable = (message: string): KubeletError => new KubeletError(message, { code: 'failed-precondition' });
