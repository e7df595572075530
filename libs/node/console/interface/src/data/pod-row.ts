import type { PodSituation } from '@podwright/explain-interface';

/** One pod in a list. CPU in millicores, memory in bytes; sums over its containers, absent when no container has one. */
export interface PodRow {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** `api`, `file`, `http`, `local`. */
  readonly source: string;
  readonly phase: string;
  readonly ready: boolean;
  readonly situation: PodSituation;
  /** One sentence: what is the matter. */
  readonly headline: string;
  readonly qosClass: string;
  readonly startedAtMs?: number;
  /** When its deletion was asked for. */
  readonly deletedAtMs?: number;
  readonly restarts: number;
  /** Without init containers that end. */
  readonly containers: number;
  readonly readyContainers: number;
  readonly cpuRequestMillis?: number;
  readonly cpuLimitMillis?: number;
  readonly memoryRequestBytes?: number;
  readonly memoryLimitBytes?: number;
  readonly podIp?: string;
  readonly labels: Readonly<Record<string, string>>;
}
