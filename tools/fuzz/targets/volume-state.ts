import { nodeMethods } from '../../../libs/storage/volume-csi/default/src/generated/client-codecs.js';
import {
  newCsiNode,
  withDriver,
  withoutDriver,
} from '../../../libs/storage/volume-csi/default/src/csi-node/csi-node-object.js';
import {
  addedDriver,
  nodeIdAnnotation,
  removedDriver,
} from '../../../libs/storage/volume-csi/default/src/csi-node/node-driver-change.js';
import { highestSupportedVersion } from '../../../libs/storage/volume-csi/default/src/drivers/supported-version.js';
import { decodeVolumeData, encodeVolumeData } from '../../../libs/storage/volume-csi/default/src/mount/volume-data.js';
import { parseFcFolder } from '../../../libs/storage/volume-fc/default/src/fc-disk.js';
import { decodeAnswer } from '../../../libs/storage/volume-flex/default/src/driver-answer.js';
import { parseIface } from '../../../libs/storage/volume-iscsi/default/src/iface.js';
import { parseDiskFolder } from '../../../libs/storage/volume-iscsi/default/src/iscsi-disk.js';
import { decodeIscsiJson } from '../../../libs/storage/volume-iscsi/default/src/iscsi-json.js';
import { eachOf, fuzzTarget, refusesAs, refusesInput, text } from '../fuzz-target.js';
import { messageOf } from '../message-shape.js';

/** A file's name has at most 255 bytes. */
const names =
  (read: (path: string) => unknown) =>
  (input: Buffer): unknown =>
    read(`/plugins/${input.toString('latin1').replaceAll('\0', '').slice(0, 511)}`);

const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'u', labels: { zone: 'a' } } };

/** What a driver says of the node goes into the Node and the CSINode. */
function register(input: Buffer): void {
  const { nodeId, accessibleTopology } = nodeMethods.nodeGetInfo.decode(messageOf(input));
  const segments = accessibleTopology?.segments ?? {};
  addedDriver(node, 'd', nodeId, segments);
  const entry = { name: 'd', nodeId, topologyKeys: Object.keys(segments), count: undefined };
  const shown = withDriver(newCsiNode(node), entry);
  if (shown === undefined || withDriver(shown, entry) !== undefined) throw new TypeError('the same driver is a change');
  if (withoutDriver(shown, 'd')?.spec.drivers.length !== 0) throw new TypeError('the driver stays');
}

const { run, seed } = eachOf({
  csi: text((each) => {
    const data = decodeVolumeData(each);
    const again = decodeVolumeData(encodeVolumeData(data));
    if (encodeVolumeData(again) !== encodeVolumeData(data)) throw new TypeError('another volume after writing');
  }),
  iscsi: text(decodeIscsiJson),
  iscsiFolder: names(parseDiskFolder),
  iface: text(parseIface),
  fcFolder: names(parseFcFolder),
  flex: text((each) => decodeAnswer('init', each)),
  versions: text((each) => highestSupportedVersion(each.split('\n'))),
  nodeIds: text((each) => {
    const annotated = { ...node, metadata: { ...node.metadata, annotations: { [nodeIdAnnotation]: each } } };
    addedDriver(annotated, 'd', 'i', { zone: 'a', rack: '1' });
    removedDriver(annotated, 'd');
  }),
  register,
});
const said = refusesAs('Error', 'SyntaxError');
const malformed = (error: unknown): boolean =>
  error instanceof RangeError && error.message.startsWith('malformed message');

export const target = fuzzTarget({
  name: 'volume-state',
  reads:
    'data files of CSI and iSCSI volumes, names of folders of disks, answers of FlexVolume drivers, what CSI drivers say of versions and of the node',
  seeds: () => [
    seed(
      'csi',
      encodeVolumeData({ driverName: 'd', volumeHandle: 'v', specVolID: 's', volumeLifecycleMode: 'Ephemeral' }),
    ),
    seed(
      'iscsi',
      '{"VolName":"v","Portals":["10.0.0.1:3260"],"Iqn":"iqn.2003-01.a:b","Lun":"0","InitIface":"default","Iface":"default","InitiatorName":"","MetricsProvider":null}',
    ),
    seed('iscsiFolder', 'iface-default/10.0.0.1:3260-iqn.2003-01.a:b-lun-0'),
    seed('iface', 'iface.iscsi_ifacename = default\niface.transport_name = tcp\niface.initiatorname = <empty>\n'),
    seed('fcFolder', '50060e801049cfd1-50060e801049cfd2-lun-0'),
    seed('fcFolder', '3600508b400105e210000900000490000'),
    seed('flex', '{"Status":"Success","device":"/dev/a","capabilities":{"attach":false,"fsGroup":true}}'),
    seed('flex', '{"status":"Failure","message":"no"}'),
    seed('versions', '1.0.0\n0.3\nv1.2.3-rc.1'),
    seed('nodeIds', '{"d":"i","e":"j"}'),
    seed('register', Buffer.from([4, 0, 1, 110, 6, 2, 6, 0, 4, 0, 1, 107, 4, 1, 1, 118, 0, 0, 1, 1, 5])),
  ],
  run,
  // The callers of these decoders name the file.
  refuses: (error) => refusesInput(error) || said(error) || malformed(error),
});
