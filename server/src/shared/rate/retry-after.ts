/** A time to wait, milliseconds, in the whole seconds of `Retry-After`: at least one. */
export const retryAfterOf = (wait: number): number => Math.max(1, Math.ceil(wait / 1000))
