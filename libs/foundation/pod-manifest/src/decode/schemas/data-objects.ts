import { base64 } from '../base64.js';
import { map, object, pointer } from '../schema.js';
import { bool, string, strings } from '../scalars.js';
import { objectMeta } from './metadata.js';

// Source: kubernetes v1.36 staging/src/k8s.io/api/core/v1/types.go.

const dataObject = { apiVersion: string, kind: string, metadata: objectMeta, immutable: pointer(bool) };

export const configMap = object({ ...dataObject, data: strings, binaryData: map(base64) });
export const secret = object({ ...dataObject, data: map(base64), stringData: strings, type: string });
