import type { ConsoleSample, NodeResource } from '@podwright/console-interface';
import type { JSX } from 'preact';
import { Meter } from '../parts/meter.js';
import { Panel, Scrolling } from '../parts/panel.js';
import { latest } from '../state/node-state.js';
import { bytes, count, ofResource, percent } from '../text/quantities.js';
import { Text } from '../text/foreign-text.js';

export function NodeResources({ resources }: { readonly resources: readonly NodeResource[] }): JSX.Element {
  const sample = latest.value;
  return (
    <Panel
      title="Capacity"
      aside={
        <span class="meter-key quiet">
          <span class="swatch meter-requested" /> requested <span class="swatch meter-reserved" /> reserved{' '}
          <span class="swatch swatch-line" /> used now
        </span>
      }
    >
      <Scrolling label="Capacity of the node">
        <table>
          <thead>
            <tr>
              <th scope="col">Resource</th>
              <th scope="col" class="wide">
                Share
              </th>
              {['Capacity', 'Reserved', 'Allocatable', 'Requested', 'Limits', 'Used'].map((title) => (
                <th key={title} scope="col" class="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => (
              <ResourceRow key={resource.name} {...resource} used={usedOf(resource.name, sample)} />
            ))}
          </tbody>
        </table>
      </Scrolling>
      <p class="quiet note">
        {sample?.processes !== undefined && `${count(sample.processes, 'process', 'processes')}. `}
        {sample?.imageFsUsedBytes !== undefined &&
          sample.imageFsCapacityBytes !== undefined &&
          `Images: ${bytes(sample.imageFsUsedBytes)} of ${bytes(sample.imageFsCapacityBytes)} used. `}
        The numbers are read every two seconds, only while somebody looks.
      </p>
    </Panel>
  );
}

interface ResourceRowProps extends NodeResource {
  readonly used: number | undefined;
}

function ResourceRow(resource: ResourceRowProps): JSX.Element {
  const { name, capacity, allocatable, reserved, requested, limited, used } = resource;
  const say = (value: number): string => ofResource(name, value);
  const usedText = used === undefined ? '' : `, ${percent(used, capacity)} of the capacity used`;
  return (
    <tr>
      <th scope="row">
        <Text>{name}</Text>
      </th>
      <td>
        <Meter
          label={name}
          text={`${percent(requested, allocatable)} of the allocatable requested${usedText}`}
          parts={[
            { share: requested / capacity, kind: 'requested' },
            { share: reserved / capacity, kind: 'reserved' },
          ]}
          lines={used === undefined ? [] : [{ at: used / capacity, kind: 'used' }]}
        />
      </td>
      <td class="number">{say(capacity)}</td>
      <td class="number">{say(reserved)}</td>
      <td class="number">{say(allocatable)}</td>
      <td class="number">
        {say(requested)} <span class="quiet">{percent(requested, allocatable)}</span>
      </td>
      <td class="number">{name === 'pods' ? '–' : say(limited)}</td>
      <td class="number">{used === undefined ? '–' : say(used)}</td>
    </tr>
  );
}

function usedOf(name: string, sample: ConsoleSample | undefined): number | undefined {
  if (name === 'cpu') return sample?.cpuNanoCores === undefined ? undefined : sample.cpuNanoCores / 1e6;
  if (name === 'memory') return sample?.memoryWorkingSetBytes;
  return name === 'ephemeral-storage' ? sample?.fsUsedBytes : undefined;
}
