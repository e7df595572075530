import type { Probe } from '@podwright/kube-types';

/** The `httpGet` of a probe or a hook. */
export type HttpGetAction = NonNullable<Probe['httpGet']>;
