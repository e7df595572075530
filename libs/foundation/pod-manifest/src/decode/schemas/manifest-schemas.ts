import type { ObjectSchema } from '../schema.js';
import { configMap, secret } from './data-objects.js';
import { pod } from './pod.js';

/** The schemas of whole objects, for documents that are read in another way than a manifest. */
export const manifestSchemas: Readonly<Record<'Pod' | 'ConfigMap' | 'Secret', ObjectSchema>> = {
  Pod: pod,
  ConfigMap: configMap,
  Secret: secret,
};
