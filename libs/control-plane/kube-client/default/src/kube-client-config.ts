import { createToken, defineConfig, integerField, numberField, stringField } from '@podwright/assembly-interface';

export interface KubeClientConfig {
  /** Requests per second of the budgets `default`, `status`, `authentication` and `authorization`, each for itself; 0 counts as 5, below 0 is no limit. */
  readonly qps: number;
  /** Requests that these budgets let through at once; 0 counts as 10. */
  readonly burst: number;
  /** As `qps`, of the budget `events`. */
  readonly eventQps: number;
  /** As `burst`, of the budget `events`. */
  readonly eventBurst: number;
  /** Value of the header of that name. */
  readonly userAgent: string;
}

export const KUBE_CLIENT_CONFIG = createToken<KubeClientConfig>('kubelet.kube-client.config/v1');

export const kubeClientConfigSchema = defineConfig<KubeClientConfig>(KUBE_CLIENT_CONFIG, {
  qps: numberField(50),
  burst: integerField(100, { min: 0 }),
  eventQps: numberField(50),
  eventBurst: integerField(100, { min: 0 }),
  userAgent: stringField('kubelet/v1.36.0 (linux/amd64) kubernetes/unknown'),
});
