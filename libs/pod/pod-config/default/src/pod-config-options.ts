import { booleanField, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';
import type { ConfigField } from '@podwright/assembly-interface';
import { isJsonObject } from '@podwright/kube-types';
import type { PodRules } from '@podwright/pod-manifest';

/** Names and meanings as in KubeletConfiguration; an empty path or URL disables the source. */
export interface PodConfigOptions extends PodRules {
  readonly nodeName: string;
  readonly staticPodPath: string;
  readonly staticPodUrl: string;
  /** Header values by name, sent with each request to the URL. */
  readonly staticPodUrlHeader: Readonly<Record<string, readonly string[]>>;
  readonly fileCheckFrequencyMs: number;
  readonly httpCheckFrequencyMs: number;
  /** Gate PreventStaticPodAPIReferences: static pods may not refer to API objects. */
  readonly preventApiReferences: boolean;
}

const headersField: ConfigField<PodConfigOptions['staticPodUrlHeader']> = {
  decode: (value, field) => {
    if (value === undefined) return { ok: true, value: {} };
    if (isHeaders(value)) return { ok: true, value };
    return { ok: false, faults: [{ field, value, problem: 'must be an object of lists of strings' }] };
  },
};

function isHeaders(value: unknown): value is PodConfigOptions['staticPodUrlHeader'] {
  if (!isJsonObject(value)) return false;
  return Object.values(value).every((list) => Array.isArray(list) && list.every((item) => typeof item === 'string'));
}

export const podConfigSchema = defineConfig<PodConfigOptions>(
  {
    nodeName: stringField(),
    staticPodPath: stringField(''),
    staticPodUrl: stringField(''),
    staticPodUrlHeader: headersField,
    fileCheckFrequencyMs: durationMsField(20_000, { min: 1 }),
    httpCheckFrequencyMs: durationMsField(20_000, { min: 1 }),
    preventApiReferences: booleanField(true),
    containerRestartRules: booleanField(true),
    restartAllContainers: booleanField(true),
    envFiles: booleanField(true),
    strictIps: booleanField(true),
    userNamespacesHostNetwork: booleanField(false),
    podLevelResources: booleanField(true),
    tolerationComparisons: booleanField(false),
    podDeletionCost: booleanField(true),
    mergedLabelKeys: booleanField(true),
    seLinuxMount: booleanField(false),
  },
  ({ nodeName, staticPodUrl }) => [
    ...(nodeName === '' ? [{ field: 'nodeName', value: nodeName, problem: 'must not be empty' }] : []),
    ...(staticPodUrl === '' || /^https?:$/.test(protocolOf(staticPodUrl))
      ? []
      : [{ field: 'staticPodUrl', value: staticPodUrl, problem: 'must be an http or https URL' }]),
  ],
);

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}
