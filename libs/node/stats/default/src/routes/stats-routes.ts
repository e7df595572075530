import type { Logger } from '@podwright/logging';
import { messageOf } from '@podwright/errors';
import type { StatsProvider, Summary } from '@podwright/stats-interface';
import { text, type Answer } from '@podwright/http-answer';
import type { ServerRequest, ServerRoute } from '@podwright/server-interface';
import { formValues } from '@podwright/http-router';

const json = 'application/json';

/** `/stats/summary`. Source: kubernetes v1.36 pkg/kubelet/server/stats/handler.go. */
export function statsRoutes(stats: Pick<StatsProvider, 'summary'>, logger: Logger): readonly ServerRoute[] {
  const handle = async (request: ServerRequest): Promise<Answer> => {
    const only = (await formValues(request)).getAll('only_cpu_and_memory');
    const onlyCpuAndMemory = only.length === 1 && only[0] === 'true';
    try {
      const summary = await stats.summary({ onlyCpuAndMemory, signal: request.signal });
      // Indented by one space, as upstream's REST library prints it.
      return { status: 200, headers: { 'Content-Type': json }, body: JSON.stringify(wireForm(summary), undefined, 1) };
    } catch (error) {
      logger.error('HTTP InternalServerError serving', { request: '/stats/summary', error });
      return text(500, `Internal Error: ${messageOf(error)}`);
    }
  };
  const methods = ['GET', 'POST'];
  const path = '/stats/summary';
  return [{ path, service: '/stats/', methods, produces: [json], metricPath: 'stats', readOnlyPort: true, handle }];
}

/** As Go writes it: no containers are `null`. */
const wireForm = ({ node, pods }: Summary): object => ({
  node,
  pods: pods.map((pod) => (pod.containers.length === 0 ? { ...pod, containers: null } : pod)),
});
