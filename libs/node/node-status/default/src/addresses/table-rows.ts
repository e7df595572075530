/** Fields of the lines of a table below `/proc/net`. */
export function tableRows(table: string): readonly (readonly string[])[] {
  return table
    .split('\n')
    .map((line) => line.split(/\s+/).filter((field) => field !== ''))
    .filter((fields) => fields.length > 0);
}
