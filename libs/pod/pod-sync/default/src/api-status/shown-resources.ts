import { formatQuantity, quantityFromMilli, quantityToMilli, type ResourceRequirements } from '@podwright/kube-types';

export type ShownResources = Record<string, string>;
type Before = Readonly<Record<string, string>> | undefined;

/** Smallest CPU values that cgroups can express (shares 2, quota 1000 us); up to them a status shows the spec's. */
export const smallestRequestMilli = 2;
export const smallestLimitMilli = 10;

/** Shows the CPU value in effect, or that of an earlier status where nothing is in effect (0). */
export function showCpu(list: ShownResources, milli: number, smallest: number, before: Before): void {
  if (milli === 0) keepResource(list, 'cpu', before);
  else if (milli > smallest || quantityToMilli(list['cpu']) > smallest)
    list['cpu'] = formatQuantity(quantityFromMilli(milli));
}

/** Shows the value of an earlier status, if it had one. */
export function keepResource(list: ShownResources, name: string, before: Before): void {
  const value = before?.[name];
  if (value !== undefined) list[name] = value;
}

/** Without empty lists, as Go writes them. */
export function requirements(
  requests: Readonly<ShownResources>,
  limits: Readonly<ShownResources>,
): ResourceRequirements {
  return {
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(requests).length > 0 && { requests }),
  };
}
