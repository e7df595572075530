import { describe, expect, it } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import type { ApiServerWatch } from '../api-server-watch.js';
import type { KubeClient, RequestBudget } from '../kube-client.js';
import type { KubeTransport } from '../kube-transport.js';
import { nodes } from '../resource-type.js';
import { ScriptedTransport, type ScriptedAnswer } from './scripted-transport.js';

/** A started client on the given transport, without limits that five calls would meet. */
export interface ApiServerWatchHarness {
  readonly kubeClient: KubeClient & ApiServerWatch;
}

const answers = { status: 503, body: '' };

/** When a client reports that its server is back; `create` gives a new client per case. */
export function describeApiServerWatchContract(
  name: string,
  create: (transport: KubeTransport) => Promise<ApiServerWatchHarness>,
): void {
  const withCalls = async (): Promise<
    ApiServerWatchHarness & {
      readonly call: (answer: ScriptedAnswer | undefined, budget?: RequestBudget) => Promise<void>;
    }
  > => {
    const transport = new ScriptedTransport(() => undefined);
    const { kubeClient } = await create(transport);
    const call = async (answer: ScriptedAnswer | undefined, budget: RequestBudget = 'default'): Promise<void> => {
      transport.answer = () => {
        if (answer === undefined) throw new KubeletError('connect ECONNREFUSED', { code: 'unavailable' });
        return answer;
      };
      await kubeClient.delete(nodes, { name: 'n1' }, { budget }).catch(() => undefined);
    };
    return { kubeClient, call };
  };

  describe(`${name} as an ApiServerWatch`, () => {
    it('reports the first answer after an outage, whatever it is, and no other', async () => {
      const { kubeClient, call } = await withCalls();
      let backs = 0;
      kubeClient.onServerBack(() => (backs += 1));
      const seen: number[] = [];
      for (const answer of [answers, undefined, undefined, answers, answers, undefined, answers]) {
        await call(answer);
        seen.push(backs);
      }
      expect(seen).toEqual([0, 0, 0, 1, 1, 1, 2]);
    });

    it('reports it to everybody who listens, and to nobody else', async () => {
      const { kubeClient, call } = await withCalls();
      const heard: string[] = [];
      const leave = kubeClient.onServerBack(() => heard.push('one'));
      kubeClient.onServerBack(() => heard.push('other'));
      await call(undefined);
      await call(answers);
      leave();
      await call(undefined);
      await call(answers);
      expect(heard).toEqual(['one', 'other', 'other']);
    });

    it('knows when the last call was sent that pods wait for', async () => {
      const { kubeClient, call } = await withCalls();
      const times: (number | undefined)[] = [kubeClient.lastUrgentCallMs];
      for (const budget of ['events', 'heartbeat', 'authentication', 'authorization'] as const) {
        await call(answers, budget);
        times.push(kubeClient.lastUrgentCallMs);
      }
      expect(times).toEqual([undefined, undefined, undefined, undefined, undefined]);
      await call(answers);
      expect(kubeClient.lastUrgentCallMs).toEqual(expect.any(Number));
    });
  });
}
