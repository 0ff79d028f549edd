/**
 * Options of an LRUCache that keeps up to `max` values and grows with its content. With its option `max`, it would
 * allocate all places when it's created: megabytes, and a tenth of a start, for the caches of the service.
 *
 * @param max number of values, at least 1
 */
export const cacheLimit = (max: number): { readonly maxSize: number; readonly sizeCalculation: () => number } => ({
  maxSize: max,
  sizeCalculation: () => 1,
})
