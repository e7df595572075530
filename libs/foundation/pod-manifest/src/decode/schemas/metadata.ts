import { always, anything, list, object, pointer } from '../schema.js';
import { bool, int64, string, strings, time } from '../scalars.js';

// metav1 types. Source: kubernetes v1.36 apimachinery pkg/apis/meta/v1/types.go.

const ownerReference = object({
  apiVersion: always(string),
  kind: always(string),
  name: always(string),
  uid: always(string),
  controller: pointer(bool),
  blockOwnerDeletion: pointer(bool),
});

const managedFieldsEntry = object({
  manager: string,
  operation: string,
  apiVersion: string,
  time,
  fieldsType: string,
  fieldsV1: anything,
  subresource: string,
});

export const objectMeta = object({
  name: string,
  generateName: string,
  namespace: string,
  selfLink: string,
  uid: string,
  resourceVersion: string,
  generation: int64,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: pointer(int64),
  labels: strings,
  annotations: strings,
  ownerReferences: list(ownerReference),
  finalizers: list(string),
  managedFields: list(managedFieldsEntry),
});

export const listMeta = object({
  selfLink: string,
  resourceVersion: string,
  continue: string,
  remainingItemCount: pointer(int64),
  shardInfo: anything,
});

export const labelSelector = object({
  matchLabels: strings,
  matchExpressions: list(object({ key: always(string), operator: always(string), values: list(string) })),
});
