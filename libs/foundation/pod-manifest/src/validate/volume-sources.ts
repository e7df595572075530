import type { Volume } from '@podwright/kube-types';
import { dns1123Subdomain, tryParseQuantity } from '@podwright/kube-types';
import { validateObjectName } from './env.js';
import type { FieldErrors } from './field-errors.js';
import { validateRange } from './numbers.js';
import { validateFileMode, validateNoBacksteps } from './paths.js';
import { validateDownwardFiles, validateKeys } from './projected-files.js';

type Check<T> = (source: T, field: string, errors: FieldErrors) => void;
type Sources = Omit<Volume, 'name'>;
type Checks = { readonly [K in keyof Sources]-?: Check<NonNullable<Sources[K]>> };

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const iqnPattern = /^iqn\.\d{4}-\d{2}\.([a-z0-9]+[a-z0-9\-.]*)(:\S+)?$|^eui\.[0-9a-fA-F]{16}$|^naa\.[0-9a-fA-F]{32}$/;

/** Checks only that the given fields are set: enough for sources that the kubelet no longer mounts by itself. */
function needs<T extends object>(...fields: readonly (keyof T & string)[]): Check<T> {
  return (source, field, errors) => {
    for (const name of fields) {
      const value = source[name];
      if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
        errors.required(`${field}.${name}`);
      }
    }
  };
}

const checks: Checks = {
  emptyDir(source, field, errors) {
    const limit = source.sizeLimit === undefined ? undefined : tryParseQuantity(source.sizeLimit);
    if (source.sizeLimit !== undefined && (limit === undefined || limit.nano < 0n)) {
      errors.forbidden(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
    }
  },
  hostPath(source, field, errors) {
    if (!source.path) return errors.required(`${field}.path`);
    validateNoBacksteps(source.path, `${field}.path`, errors);
    return errors.oneOf(`${field}.type`, source.type, hostPathTypes);
  },
  secret(source, field, errors) {
    if (!source.secretName) errors.required(`${field}.secretName`);
    validateFileMode(source.defaultMode, `${field}.defaultMode`, errors);
    validateKeys(source.items, `${field}.items`, errors);
  },
  configMap(source, field, errors) {
    if (!source.name) errors.required(`${field}.name`);
    validateFileMode(source.defaultMode, `${field}.defaultMode`, errors);
    validateKeys(source.items, `${field}.items`, errors);
  },
  downwardAPI(source, field, errors) {
    validateFileMode(source.defaultMode, `${field}.defaultMode`, errors);
    validateDownwardFiles(source.items, field, errors);
  },
  projected: () => undefined, // see projected-volume.ts
  persistentVolumeClaim: needs('claimName'),
  ephemeral(source, field, errors) {
    const template = source.volumeClaimTemplate;
    if (template === undefined) return errors.required(`${field}.volumeClaimTemplate`);
    const place = `${field}.volumeClaimTemplate.spec`;
    const modes = template.spec.accessModes ?? [];
    if (modes.length === 0) errors.required(`${place}.accessModes`, 'at least 1 access mode is required');
    for (const mode of modes) errors.oneOf(`${place}.accessModes`, mode, accessModes);
    if (modes.includes('ReadWriteOncePod') && modes.length > 1) {
      errors.forbidden(`${place}.accessModes`, 'may not use ReadWriteOncePod with other access modes');
    }
    const storage = template.spec.resources?.requests?.storage;
    if (storage === undefined) return errors.required(`${place}.resources[storage]`);
    const amount = tryParseQuantity(storage);
    if (amount !== undefined && amount.nano <= 0n) {
      errors.invalid(`${place}.resources[storage]`, storage, 'must be greater than zero');
    }
    return undefined;
  },
  csi(source, field, errors) {
    validateDriverName(source.driver, `${field}.driver`, errors);
    if (source.nodePublishSecretRef) {
      validateObjectName(source.nodePublishSecretRef.name, `${field}.nodePublishSecretRef.name`, errors);
    }
  },
  image(source, field, errors) {
    if (!source.reference) errors.required(`${field}.reference`);
    errors.oneOf(`${field}.pullPolicy`, source.pullPolicy, ['Always', 'IfNotPresent', 'Never']);
  },
  nfs(source, field, errors) {
    if (!source.server) errors.required(`${field}.server`);
    if (!source.path) errors.required(`${field}.path`);
    else if (!source.path.startsWith('/')) errors.invalid(`${field}.path`, source.path, 'must be an absolute path');
  },
  iscsi(source, field, errors) {
    if (!source.targetPortal) errors.required(`${field}.targetPortal`);
    if (!source.iqn) errors.required(`${field}.iqn`);
    else validateIqn(source.iqn, `${field}.iqn`, errors);
    validateRange(source.lun, 0, 255, `${field}.lun`, errors);
    const needsSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true;
    if (needsSecret && source.secretRef === undefined) errors.required(`${field}.secretRef`);
    if (source.secretRef !== undefined && !source.secretRef.name) errors.required(`${field}.secretRef.name`);
    if (source.initiatorName !== undefined) validateIqn(source.initiatorName, `${field}.initiatorname`, errors);
  },
  fc(source, field, errors) {
    const [wwns, wwids] = [source.targetWWNs ?? [], source.wwids ?? []];
    if (wwns.length === 0 && wwids.length === 0) {
      errors.required(`${field}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both');
    }
    if (wwns.length > 0 && wwids.length > 0) {
      errors.invalid(`${field}.targetWWNs`, wwns, 'targetWWNs and wwids can not be specified simultaneously');
    }
    if (wwns.length === 0) return;
    if (source.lun === undefined) errors.required(`${field}.lun`, 'lun is required if targetWWNs is specified');
    validateRange(source.lun, 0, 255, `${field}.lun`, errors);
  },
  flexVolume: needs('driver'),
  gcePersistentDisk: needs('pdName'),
  awsElasticBlockStore: needs('volumeID'),
  gitRepo: needs('repository'),
  glusterfs: needs('endpoints', 'path'),
  rbd: needs('monitors', 'image'),
  cinder: needs('volumeID'),
  cephfs: needs('monitors'),
  flocker(source, field, errors) {
    if (!source.datasetName && !source.datasetUUID) {
      errors.required(field, 'one of datasetName and datasetUUID is required');
    }
    if (source.datasetName && source.datasetUUID) {
      errors.invalid(field, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
    }
  },
  azureFile: needs('secretName', 'shareName'),
  vsphereVolume: needs('volumePath'),
  quobyte: needs('registry', 'volume'),
  azureDisk: needs('diskName', 'diskURI'),
  photonPersistentDisk: needs('pdID'),
  portworxVolume: needs('volumeID'),
  scaleIO: needs('gateway', 'system', 'volumeName'),
  storageos: needs('volumeName'),
};

export function isKnownSource(name: string): name is keyof Sources {
  return Object.hasOwn(checks, name);
}

/** Validates the source `name` of the volume. */
export function validateSource(volume: Volume, name: string, field: string, errors: FieldErrors): void {
  if (!isKnownSource(name)) return;
  const source = volume[name];
  if (source !== undefined) runCheck(name, source, `${field}.${name}`, errors);
}

function runCheck<K extends keyof Sources>(
  name: K,
  source: NonNullable<Sources[K]>,
  field: string,
  errors: FieldErrors,
): void {
  const check = checks[name] as Check<NonNullable<Sources[K]>>;
  check(source, field, errors);
}

function validateIqn(name: string, field: string, errors: FieldErrors): void {
  if (!/^(iqn|eui|naa)/.test(name)) errors.invalid(field, name, 'must be valid format starting with iqn, eui, or naa');
  else if (!iqnPattern.test(name)) errors.invalid(field, name, 'must be valid format');
}

function validateDriverName(driver: string, field: string, errors: FieldErrors): void {
  if (!driver) return errors.required(field);
  if (driver.length > 63) errors.tooLong(field, 63);
  return errors.rule(field, driver, dns1123Subdomain(driver.toLowerCase()));
}
