import { ApiError, badRequest, type ApiObject, type DeletionOptions } from '@podwright/api-machinery';
import { matchesLabelSelector, objectKey, type LabelSelector } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';
import { deleteObject } from '../registry/delete-object.js';
import type { ObjectRegistry } from '../registry/object-registry.js';
import type { ServerContext } from '../registry/server-context.js';
import { asPod } from '../strategies/pod-strategy.js';
import { withCondition } from './pod-conditions.js';

interface Eviction extends ApiObject {
  readonly deleteOptions?: Partial<DeletionOptions>;
}

interface DisruptionBudget extends ApiObject {
  readonly spec?: { readonly selector?: LabelSelector };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly desiredHealthy?: number;
    readonly currentHealthy?: number;
  };
}

const budgets = 'poddisruptionbudgets.policy';

/**
 * Deletes a pod if its disruption budget allows it. Source: kubernetes v1.36 pkg/registry/core/pod/storage/eviction.go.
 */
export function evictPod(
  server: ServerContext,
  registry: ObjectRegistry,
  { namespace, name, eviction }: { readonly namespace: string; readonly name: string; readonly eviction: Eviction },
): void {
  const { store, table, clock } = server;
  if (eviction.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const resource = table.get('pods');
  const found = registry.get(resource, namespace, name);
  const pod = asPod(found);
  const options: DeletionOptions = { ...eviction.deleteOptions, dryRun: false };
  const harmless =
    ['Succeeded', 'Failed', 'Pending'].includes(pod.status?.phase ?? '') ||
    pod.metadata.deletionTimestamp !== undefined;
  if (!harmless) spendBudget(store, found);
  const reason = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
  const condition = { type: 'DisruptionTarget', status: 'True', ...reason };
  const status = withCondition(pod.status, condition, formatRfc3339(clock.now()));
  const stored = registry.put(resource, { ...found, status });
  deleteObject(server, registry, resource, stored, options);
}

function spendBudget(store: ServerContext['store'], pod: ApiObject): void {
  const { namespace, labels = {} } = pod.metadata;
  const matching = ([...store.values(budgets)] as DisruptionBudget[]).filter(
    (budget) => budget.metadata.namespace === namespace && matchesLabelSelector(budget.spec?.selector, labels),
  );
  const [budget, second] = matching;
  if (budget === undefined) return;
  if (second !== undefined) {
    throw new ApiError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
  const name = budget.metadata.name ?? '';
  if (disruptionsAllowed <= 0) {
    const message = `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw new ApiError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
      causes: [{ reason: 'DisruptionBudget', message }],
    });
  }
  const status = { ...budget.status, disruptionsAllowed: disruptionsAllowed - 1 };
  store.put(budgets, objectKey(namespace, name), { ...budget, status });
}
