export { LOCAL_OBJECTS } from './local-objects.js';
export type { LocalObjectList, LocalObjects } from './local-objects.js';
export { localObjectKinds, localObjectPlurals } from './local-object.js';
export type {
  LocalObject,
  LocalObjectChange,
  LocalObjectKind,
  LocalObjectOf,
  LocalObjectTypes,
} from './local-object.js';
export type {
  LocalCommit,
  LocalConditions,
  LocalOperation,
  LocalPut,
  LocalRemoval,
  LocalTransaction,
} from './local-transaction.js';
export { planTransaction } from './plan-transaction.js';
export type { TransactionFacts } from './plan-transaction.js';
