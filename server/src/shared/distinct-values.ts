/**
 * All values of an indexed column, with one index lookup per value, however many rows each has.
 *
 * @param next the smallest value greater than `after`; undefined if there is none
 */
export async function distinctValues<Value extends string>(
  next: (after: string) => Promise<Value | undefined>,
): Promise<Value[]> {
  const values: Value[] = []
  for (;;) {
    const value = await next(values.at(-1) ?? '')
    if (value === undefined) return values
    values.push(value)
  }
}
