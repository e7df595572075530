import { booleanField, defineConfig, integerField, numberField, stringField } from '@podwright/assembly-interface';

export interface KubeClientConfig {
  /**
   * Requests per second of each of the budgets `default`, `status`, `authentication` and `authorization`; 0 means 5,
   * negative no limit.
   */
  readonly qps: number;
  /** Requests that each of these budgets allows at once; 0 means 10. */
  readonly burst: number;
  /** As `qps`, for the budget `events`. */
  readonly eventQps: number;
  /** As `burst`, for the budget `events`. */
  readonly eventBurst: number;
  /** Value of the User-Agent header. */
  readonly userAgent: string;
  /**
   * Media type of the objects that requests and answers hold: `application/json`, `application/vnd.kubernetes.protobuf`
   * or `application/cbor`; empty leaves it to the client, which takes protobuf. Any other one means JSON. Patches are
   * always JSON.
   */
  readonly contentType: string;
  /** Without it, `application/cbor` means JSON. Gate ClientsAllowCBOR. */
  readonly allowCbor: boolean;
  /** With `allowCbor`: an empty content type means CBOR. Gate ClientsPreferCBOR. */
  readonly preferCbor: boolean;
  /**
   * Gate WatchListClient: informers get their first list as a stream, if the server can; false: they list, and then watch.
   */
  readonly streamedLists: boolean;
}

export const kubeClientConfigSchema = defineConfig<KubeClientConfig>({
  qps: numberField(50),
  burst: integerField(100, { min: 0 }),
  eventQps: numberField(50),
  eventBurst: integerField(100, { min: 0 }),
  userAgent: stringField('kubelet/v1.36.0 (linux/amd64) kubernetes/unknown'),
  contentType: stringField('application/json'),
  allowCbor: booleanField(false),
  preferCbor: booleanField(false),
  streamedLists: booleanField(true),
});
