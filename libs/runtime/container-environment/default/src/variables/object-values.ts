import { variableOfBytes } from '@podwright/container-environment-interface';
import type { ConfigMapManager, SecretManager } from '@podwright/referenced-objects-interface';
import { hasCode, KubeletError } from '@podwright/errors';

export interface ObjectSources {
  readonly secrets: SecretManager;
  readonly configMaps: ConfigMapManager;
}

type Values = Readonly<Record<string, string>>;

/** Reads the config maps and secrets that one container refers to, each at most once. */
export class ObjectValues {
  private readonly read = new Map<string, Promise<Values | undefined>>();

  constructor(
    private readonly sources: ObjectSources,
    private readonly namespace: string,
  ) {}

  /**
   * Undefined when the object does not exist and the reference is optional. Otherwise rejects with upstream's texts.
   */
  configMap(name: string, optional: boolean): Promise<Values | undefined> {
    return this.once(`configMap ${this.namespace}/${name}`, optional, async () => {
      const { data } = await this.sources.configMaps.get(this.namespace, name);
      return data ?? {};
    });
  }

  secret(name: string, optional: boolean): Promise<Values | undefined> {
    return this.once(`secret ${this.namespace}/${name}`, optional, async () => {
      const { data } = await this.sources.secrets.get(this.namespace, name);
      const texts = Object.entries(data ?? {}).map(([key, value]) => [
        key,
        variableOfBytes(Buffer.from(value, 'base64')),
      ]);
      return Object.fromEntries(texts) as Values;
    });
  }

  private async once(what: string, optional: boolean, get: () => Promise<Values>): Promise<Values | undefined> {
    const reading = this.read.get(what) ?? get();
    this.read.set(what, reading);
    try {
      return await reading;
    } catch (error) {
      if (optional && hasCode(error, 'not-found')) return undefined;
      // Without an API server even an optional reference fails, because the kubelet cannot know whether the object
      // exists.
      if (!hasCode(error, 'failed-precondition')) throw error;
      throw new KubeletError(`couldn't get ${what}, no kubeClient defined`, {
        code: 'failed-precondition',
        cause: error,
      });
    }
  }
}

/** One key of an object; undefined when the reference is optional and the object or key is missing. */
export function valueOf(values: Values | undefined, key: string, optional: boolean, where: string): string | undefined {
  if (values === undefined) return undefined;
  if (Object.hasOwn(values, key)) return values[key];
  if (optional) return undefined;
  throw new KubeletError(`couldn't find key ${key} in ${where}`, { code: 'not-found' });
}
