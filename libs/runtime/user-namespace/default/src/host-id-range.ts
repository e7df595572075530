import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { ToolRun } from '@podwright/program';
import type { HostPrograms } from './host-program.js';
import type { IdRange } from './id-range.js';
import { defaultIdRange } from './id-range.js';

const user = 'kubelet';
/** getent's exit code for a name that is not in the database. */
const unknownName = 2;

/**
 * The subordinate ids of the user `kubelet`; the default range when there is no such user or no `getsubids`. Rejects
 * with `failed-precondition` for ids that are unusable. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * getKubeletMappings.
 */
export async function hostIdRange(host: HostPrograms, idsPerPod: number, logger: Logger): Promise<IdRange> {
  if (!(await userExists(host))) return defaultIdRange(idsPerPod);
  const users = await host.run('getsubids', [user]);
  if (isNotInstalled(users)) {
    logger.debug(2, 'Could not find executable, default mappings will be used for the user namespaces', {
      executable: 'getsubids',
    });
    return defaultIdRange(idsPerPod);
  }
  if (users.problem !== undefined) throw unusable(`error retrieving additional ids for user "${user}"`);
  const groups = await host.run('getsubids', ['-g', user]);
  if (groups.problem !== undefined) throw unusable(`error retrieving additional gids for user "${user}"`);
  if (users.stdout !== groups.stdout) throw unusable(`mismatched subuids and subgids for user "${user}"`);
  return parseSubIds(users.stdout);
}

async function userExists(host: HostPrograms): Promise<boolean> {
  const failed = (how: string): KubeletError => unusable(`lookup of user "${user}" failed: getent ${how}`);
  const answer = await host.launch('getent', ['passwd', user]).catch((error: unknown) => {
    throw failed(`did not end: ${messageOf(error)}`);
  });
  const { end, problem } = answer;
  if (problem === undefined) return true;
  // A system without getent has no directory service that could know the user.
  if ((end.how === 'exited' && end.code === unknownName) || isNotInstalled(answer)) return false;
  throw failed(`ended with ${end.how === 'exited' ? end.code : problem}`);
}

const isNotInstalled = ({ end }: Pick<ToolRun, 'end'>): boolean => end.how === 'not-started' && isMissing(end.error);

/** Parses one line of number, user, first id and count: `0: kubelet 65536 2147483648`. */
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
