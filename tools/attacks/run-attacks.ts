import { messageOf } from '@podwright/errors';
import { NotApplicable, type Attack } from './attack.js';
import type { AttackTarget } from './attack-target.js';
import type { AttackResult } from './result-table.js';

/**
 * Runs the attacks one after the other. A kubelet that an attack ends breaks that case and starts again for the next one;
 * when it cannot, no later one is tried.
 */
export async function runAttacks(
  attacks: readonly Attack[],
  target: AttackTarget,
  say: (line: string) => void,
): Promise<readonly AttackResult[]> {
  const results: AttackResult[] = [];
  for (const attack of attacks) {
    say(`${attack.name} ...`);
    const startedMs = performance.now();
    const obstacle = await revived(target);
    const verdict =
      obstacle === undefined
        ? await verdictOf(attack, target)
        : ({ outcome: 'not tried', reasons: ['an earlier case ended the kubelet', obstacle] } as const);
    results.push({ attack, ...verdict, seconds: (performance.now() - startedMs) / 1000 });
  }
  return results;
}

/** Starts the kubelet unless it runs. Resolves with what kept it from that, if anything did. */
async function revived(target: AttackTarget): Promise<string | undefined> {
  if (target.node.kubelet.isRunning) return undefined;
  return target.revive().then(
    () => undefined,
    (error: unknown) => `it does not start again: ${messageOf(error)}`,
  );
}

async function verdictOf(attack: Attack, target: AttackTarget): Promise<Pick<AttackResult, 'outcome' | 'reasons'>> {
  try {
    const harms = [...(await attack.run(target))];
    if (!target.node.kubelet.isRunning) harms.push('the kubelet ended', lastLines(target));
    return { outcome: harms.length === 0 ? 'held' : 'broken', reasons: harms };
  } catch (error) {
    const text = messageOf(error);
    if (error instanceof NotApplicable) return { outcome: 'not applicable', reasons: [text] };
    if (!target.node.kubelet.isRunning) return { outcome: 'broken', reasons: ['the kubelet ended', lastLines(target)] };
    return { outcome: 'not tried', reasons: [text] };
  }
}

const lastLines = ({ node }: AttackTarget): string => node.kubelet.kubelet.lastLines(12);
